/* SPDX-License-Identifier: Apache-2.0 */
/* vigil request: manages the requests that wait in the request store, from a shell. */
#include "common/compat.h"
#include "session/commands/command.h"
#include "session/requests/carry-out.h"

#include <signal.h>

static const char *store, *root, *format;

static const struct command_option *request_options(void)
{
	static const struct command_option options[] = {
		{ "requests", 0, OPTION_STRING, "DIR",
		  "the request store; default VIGIL_REQUESTS, then ROOT.requests", &store },
		{ "root", 0, OPTION_STRING, "DIR",
		  "folder of the data sets; the store is next to it; default VIGIL_ROOT, then "
		  "./data",
		  &root },
		{ "format", 0, OPTION_STRING, "FORMAT", "of list: text or json; default text",
		  &format },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Returns whether a word is a verb, and appends it in upper case. */
static bool is_verb(const char *word, struct strbuf *statement)
{
	static const char *const verbs[] = { "ADD",  "CHANGE",	"DELETE", "LIST",  "SEND",
					     "HOLD", "RELEASE", "ADDGRP", "SUBMIT" };

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (strcasecmp(verbs[i], word) == 0) {
			strbuf_addstr(statement, verbs[i]);
			return true;
		}
	return false;
}

/* Builds the statement from the operands: a verb, then its operands separated by commas. */
static int join(int argc, char **argv, struct strbuf *statement)
{
	if (argc == 0)
		return command_fail(EXIT_USAGE, "request needs a verb: add, change, delete, list, "
						"send, hold, release, addgrp or submit");
	if (!is_verb(argv[0], statement))
		return command_fail(
			EXIT_USAGE,
			"%s is not a verb of request; expected add, change, delete, list, "
			"send, hold, release, addgrp or submit",
			argv[0]);
	for (int i = 1; i < argc; i++)
		strbuf_addf(statement, "%c%s", i == 1 ? ' ' : ',', argv[i]);
	return EXIT_OK;
}

static int request_main(int argc, char **argv)
{
	struct carry_out_options options = { .messages = stderr, .listing = stdout };
	struct strbuf statement = STRBUF_INIT;
	struct source *source;
	int status = join(argc, argv, &statement);

	if (status == EXIT_OK && format && strcmp(format, "json") != 0 &&
	    strcmp(format, "text") != 0)
		status = command_fail(EXIT_USAGE, "--format %s is neither text nor json", format);
	if (status == EXIT_OK && root && setenv("VIGIL_ROOT", root, 1) < 0)
		status = command_fail(EXIT_USAGE, "--root %s cannot be used", root);
	if (status == EXIT_OK) {
		options.store = store;
		options.json = format && strcmp(format, "json") == 0;
		source = source_new("request", statement.text, statement.length);
		signal(SIGPIPE, SIG_IGN);
		status = carry_out(source, &options);
		source_free(source);
	}
	strbuf_release(&statement);
	return status;
}

const struct command request_command = {
	.name = "request",
	.arguments = "VERB [OPERAND]...",
	.summary = "Adds, changes and lists the requests that wait in a store",
	.options = request_options,
	.run = request_main,
};
