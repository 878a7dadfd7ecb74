/* SPDX-License-Identifier: Apache-2.0 */
/* vigil start: starts collecting in a running session. */
#include "common/compat.h"
#include "session/commands/find-session.h"
#include "session/commands/switch-collecting.h"

static const char *spool;

static const struct command_option *start_options(void)
{
	static const struct command_option options[] = {
		FIND_SESSION_SPOOL_OPTION(&spool),
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

static int start_main(int argc, char **argv)
{
	return switch_collecting(true, spool, argc, argv);
}

const struct command start_command = {
	.name = "start",
	.arguments = "[JOB | PID]",
	.summary = "Starts collecting in a session that runs",
	.options = start_options,
	.run = start_main,
};
