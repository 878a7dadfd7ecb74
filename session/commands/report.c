/* SPDX-License-Identifier: Apache-2.0 */
/* vigil report: prints the Performance Profile of sample data sets. */
#include "common/compat.h"
#include "session/commands/profile-options.h"

static const struct command_option *report_options_table(void)
{
	static const struct command_option options[] = {
		PROFILE_OUTPUT_OPTIONS,
		{ "margins", 0, OPTION_FLAG, NULL, "the margin of error of each row",
		  &profile_options.margins },
		{ "baseline", 0, OPTION_PERCENT, "PCT",
		  "modules below this share of CPU time are not detailed; default 2",
		  &profile_options.baseline },
		{ "by", 0, OPTION_STRING, "PART",
		  "a call tree for each thread or each transaction: thread, transaction",
		  &profile_options.by },
		{ "procedure", 0, OPTION_STRING, "NAME",
		  "only this procedure: callers, callees, statements, waits and source",
		  &profile_options.procedure },
		{ "resolution", 0, OPTION_NUMBER, "BYTES",
		  "size of a code block where there are no names; default 64",
		  &profile_options.resolution },
		PROFILE_EVENT_OPTIONS,
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

static int report_main(int argc, char **argv)
{
	if (profile_options_list())
		return profile_options_print_list();
	if (argc == 0)
		return command_fail(EXIT_USAGE, "report needs a sample data set (FILE.vprf) or a MONWRITE file");
	return profile_options_print(argc, argv, NULL, 0);
}

const struct command report_command = {
	.name = "report",
	.arguments = "FILE...",
	.summary = "Prints the Performance Profile of sample data sets",
	.options = report_options_table,
	.run = report_main,
};
