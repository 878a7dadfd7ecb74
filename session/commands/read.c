/* SPDX-License-Identifier: Apache-2.0 */
/* vigil read: prints the reports of events, as FUNCTION=READ does. */
#include "common/compat.h"
#include "session/commands/profile-options.h"
#include "session/requests/resources.h"

static const struct command_option *read_options(void)
{
	static const struct command_option options[] = {
		PROFILE_OUTPUT_OPTIONS,
		PROFILE_EVENT_OPTIONS,
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

static int read_main(int argc, char **argv)
{
	if (profile_options_list())
		return profile_options_print_list();
	if (argc == 0)
		return command_fail(EXIT_USAGE, "read needs a data set (FILE.vprf or FILE.vprc)");
	return profile_options_print(argc, argv, resource_usual_reports,
				     resource_usual_report_count);
}

const struct command read_command = {
	.name = "read",
	.arguments = "FILE...",
	.summary = "Prints the reports of events of data sets",
	.options = read_options,
	.run = read_main,
};
