/* SPDX-License-Identifier: Apache-2.0 */
/* vigil start: starts collecting in a session that runs. */
#include "common/compat.h"
#include "session/commands/switch-collecting.h"

static int start_main(int argc, char **argv)
{
	return switch_collecting(true, argc, argv);
}

const struct command start_command = {
	.name = "start",
	.arguments = "[JOB | PID]",
	.summary = "Starts collecting in a session that runs",
	.run = start_main,
};
