/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the control statements of a command line. */
#include "common/compat.h"
#include "session/commands/control-options.h"

#include <unistd.h>

/* Returns whether a value of -c is a file or standard input instead of a statement. */
static bool is_file(const char *value)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct control_deck *deck;
	struct source *source;
	bool statement;

	if (strcmp(value, "-") == 0)
		return true;
	if (access(value, F_OK) < 0)
		return false;
	source = source_new(STATEMENTS_LINES, value, strlen(value));
	deck = control_parse(source, false, &diags);
	control_check(deck, &diags);
	control_free(deck);
	statement = diag_max_severity(&diags) < SEVERITY_ERROR;
	source_free(source);
	diag_list_release(&diags);
	return !statement;
}

/* Adds an ADD for each step that --measure names. */
static void add_measure(const char *steps, struct statements *statements, struct diag_list *diags)
{
	struct strbuf text = STRBUF_INIT;

	do {
		size_t length = strcspn(steps, ",");

		strbuf_addf(&text, *steps ? "ADD *,STEP=%.*s\n" : "ADD *\n", (int)length, steps);
		steps += length;
	} while (*steps++ == ',');
	statements_add_source(statements, source_new(CONTROL_MEASURE, text.text, text.length), false,
			      diags);
	strbuf_release(&text);
}

int control_options_read(const struct control_options *options, struct statements *statements,
			 struct diag_list *diags)
{
	const struct option_list *lines = &options->statements;
	struct error err = ERROR_INIT;
	int status = EXIT_OK;

	for (size_t i = 0; i < lines->count; i++)
		if (is_file(lines->items[i]))
			return command_fail(EXIT_USAGE,
					    "-c takes a control statement, and %s is a file: use "
					    "--control %s",
					    lines->items[i], lines->items[i]);
	if (options->measure)
		add_measure(options->measure, statements, diags);
	for (size_t i = 0; i < options->files.count; i++)
		if (statements_add_file(statements, options->files.items[i], diags, &err) < 0)
			status = command_message(SEVERITY_ERROR, 35, "%s", error_text(&err));
	statements_add_lines(statements, lines->items, lines->count, diags);
	error_release(&err);
	return status;
}

void control_options_release(struct control_options *options)
{
	free(options->files.items);
	free(options->statements.items);
	*options = (struct control_options){ 0 };
}
