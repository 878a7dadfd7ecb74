/* SPDX-License-Identifier: Apache-2.0 */
/* vigil check: finds the errors of decks without running them. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "session/commands/control-options.h"
#include "session/commands/deck.h"
#include "session/requests/requests.h"

static struct deck_options deck_options;
static struct control_options control_options;
static bool print_cards;

static const struct command_option *check_options(void)
{
	static const struct command_option options[] = {
		{ "proclib", 0, OPTION_LIST, "DIR",
		  "folder of procedures and INCLUDE members, searched in the order given",
		  &deck_options.proclibs },
		{ "root", 0, OPTION_STRING, "DIR",
		  "folder of the data sets, for libraries of JCLLIB; default VIGIL_ROOT, then "
		  "./data",
		  &deck_options.root },
		{ "map", 0, OPTION_STRING, "FILE",
		  "mapping of data set names to files; default VIGIL_MAP", &deck_options.map },
		MEASURE_OPTION(control_options),
		CONTROL_OPTIONS(control_options),
		{ "strict", 0, OPTION_FLAG, NULL, "treat what a mainframe would reject as an error",
		  &deck_options.strict },
		{ "print", 'p', OPTION_FLAG, NULL,
		  "print the statements in canonical form when there is no error", &print_cards },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Prints the decks in canonical form. */
static int print_decks(const struct deck_list *decks)
{
	struct strbuf text = STRBUF_INIT;
	int status = EXIT_OK;

	for (size_t i = 0; i < decks->count; i++)
		jcl_print(decks->items[i].tree, &text);
	if (fwrite(text.text, 1, text.length, stdout) != text.length || fflush(stdout) != 0)
		status = command_message(SEVERITY_ERROR, 31,
					 "cannot write to standard output: %s", strerror(errno));
	strbuf_release(&text);
	return status;
}

static int check_main(int argc, char **argv)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct statements statements;
	struct deck_list decks;
	bool unreadable;
	int status;

	if (argc == 0)
		return command_fail(EXIT_USAGE, "check needs a deck");
	statements_init(&statements);
	status = control_options_read(&control_options, &statements, &diags);
	if (status == EXIT_USAGE)
		return status;
	unreadable = status != EXIT_OK;
	status = EXIT_OK;
	request_check_reports(statements.deck, &request_place_jobs, &diags);
	deck_default_list(&deck_options.proclibs, "VIGIL_PROCLIB");
	deck_options.root = deck_folder(deck_options.root, "VIGIL_ROOT", "data");
	deck_options.map = deck_folder(deck_options.map, "VIGIL_MAP", NULL);
	deck_options.fragments = true;
	deck_list_read(&decks, argc, argv, &deck_options, &diags);
	deck_list_warn_unmatched(&decks, statements.deck, &diags);
	if (!deck_diagnose(&diags, SEVERITY_INFO) || decks.unreadable || unreadable)
		status = EXIT_SEVERE;
	else if (print_cards)
		status = print_decks(&decks);
	diag_list_release(&diags);
	deck_list_release(&decks);
	statements_release(&statements);
	control_options_release(&control_options);
	free(deck_options.proclibs.items);
	return status;
}

const struct command check_command = {
	.name = "check",
	.arguments = "DECK...",
	.summary = "Finds the errors of decks without running them",
	.options = check_options,
	.run = check_main,
};
