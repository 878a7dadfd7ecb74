/* SPDX-License-Identifier: Apache-2.0 */
/* vigil pause: pauses collecting in a running session. */
#include "common/compat.h"
#include "session/commands/find-session.h"
#include "session/commands/switch-collecting.h"

static const char *spool;

static const struct command_option *pause_options(void)
{
	static const struct command_option options[] = {
		FIND_SESSION_SPOOL_OPTION(&spool),
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

static int pause_main(int argc, char **argv)
{
	return switch_collecting(false, spool, argc, argv);
}

const struct command pause_command = {
	.name = "pause",
	.arguments = "[JOB | PID]",
	.summary = "Pauses collecting in a session that runs",
	.options = pause_options,
	.run = pause_main,
};
