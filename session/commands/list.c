/* SPDX-License-Identifier: Apache-2.0 */
/* vigil list: lists the resources of a library. */
#include "common/compat.h"
#include "session/commands/command.h"
#include "session/library/resources.h"

static const char *library;

static const struct command_option *list_options(void)
{
	static const struct command_option options[] = {
		{ "library", 0, OPTION_STRING, "DIR",
		  "the resource library; default VIGIL_LIBRARY, then profiles in the data set root",
		  &library },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

static int list_main(int argc, char **argv)
{
	struct diag_list diags = DIAG_LIST_INIT;
	int status;

	if (argc > 1)
		return command_fail(EXIT_USAGE, "list takes one pattern, not also %s", argv[1]);
	library_list(&(struct resource_selection){ .where = { .option = library },
							     .pattern = argc ? argv[0] : NULL },
			       stdout, &diags);
	diag_print(&diags, stderr);
	status = (int)diag_max_severity(&diags);
	diag_list_release(&diags);
	return status;
}

const struct command list_command = {
	.name = "list",
	.arguments = "[PATTERN]",
	.summary = "Lists the resources of a library: sample data sets by name",
	.options = list_options,
	.run = list_main,
};
