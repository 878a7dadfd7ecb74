/* SPDX-License-Identifier: Apache-2.0 */
/* vigil delete: deletes resources of a library. */
#include "common/compat.h"
#include "session/commands/command.h"
#include "session/library/resources.h"

static const char *library;
static uint64_t older = OPTION_NOT_GIVEN;

static const struct command_option *delete_options(void)
{
	static const struct command_option options[] = {
		{ "library", 0, OPTION_STRING, "DIR",
		  "the resource library; default VIGIL_LIBRARY, then profiles in the data set root",
		  &library },
		{ "older", 0, OPTION_NUMBER, "DAYS", "only those that are older", &older },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

static int delete_main(int argc, char **argv)
{
	struct diag_list diags = DIAG_LIST_INIT;
	bool aged = older != OPTION_NOT_GIVEN;
	int status;

	if (argc > 1)
		return command_fail(EXIT_USAGE, "delete takes one pattern, not also %s", argv[1]);
	if (argc == 0 && !aged)
		return command_fail(EXIT_USAGE, "delete needs a pattern, or --older");
	if (aged && (older < 1 || older > RESOURCE_AGE_MAX))
		return command_fail(EXIT_USAGE, "--older takes 1 to %d", RESOURCE_AGE_MAX);
	library_delete(&(struct resource_selection){ .where = { .option = library },
							       .pattern = argc ? argv[0] : NULL,
							       .older = aged ? older : 0 },
				 &diags);
	diag_print(&diags, stderr);
	status = (int)diag_max_severity(&diags);
	diag_list_release(&diags);
	return status;
}

const struct command delete_command = {
	.name = "delete",
	.arguments = "[PATTERN]",
	.summary = "Deletes resources of a library by name and age",
	.options = delete_options,
	.run = delete_main,
};
