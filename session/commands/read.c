/* SPDX-License-Identifier: Apache-2.0 */
/* vigil read: prints the reports of events, as FUNCTION=READ does. */
#include "common/compat.h"
#include "session/commands/find-session.h"
#include "session/commands/online-read.h"
#include "session/commands/profile-options.h"
#include "session/library/resources.h"

static bool online, replace;
static const char *save, *library, *spool;

static const struct command_option *read_options(void)
{
	static const struct command_option options[] = {
		PROFILE_OUTPUT_OPTIONS,
		PROFILE_EVENT_OPTIONS,
		{ "online", 0, OPTION_FLAG, NULL,
		  "read the newest events of a running job or process, which pauses it; default this step",
		  &online },
		FIND_SESSION_SPOOL_OPTION(&spool),
		{ "save", 0, OPTION_STRING, "NAME", "save them as a resource", &save },
		{ "library", 0, OPTION_STRING, "DIR",
		  "the resource library; default VIGIL_LIBRARY, then profiles in the data set root",
		  &library },
		{ "replace", 0, OPTION_FLAG, NULL, "replace an existing resource", &replace },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

static int read_main(int argc, char **argv)
{
	if (profile_options_list())
		return profile_options_print_list();
	if (!online && (save || library || replace || spool))
		return command_fail(EXIT_USAGE,
				    "--spool, --save, --library and --replace need --online");
	if (online && !save && (library || replace))
		return command_fail(EXIT_USAGE, "--library and --replace need --save");
	if (online && argc > 1)
		return command_fail(EXIT_USAGE, "--online takes one job or process, not also %s",
				    argv[1]);
	if (online)
		return online_read(&(struct online_read){
			.operand = argc ? argv[0] : NULL,
			.spool = spool,
			.save = save,
			.library = library,
			.replace = replace,
			.print = profile_options.code_lists.count > 0,
		});
	if (argc == 0)
		return command_fail(EXIT_USAGE, "read needs a data set (FILE.vprf or FILE.vprc)");
	return profile_options_print(argc, argv, resource_usual_reports,
				     resource_usual_report_count);
}

const struct command read_command = {
	.name = "read",
	.arguments = "FILE... | --online [JOB|PID]",
	.summary = "Prints the reports of events of data sets, or of a running step",
	.options = read_options,
	.run = read_main,
};
