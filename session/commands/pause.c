/* SPDX-License-Identifier: Apache-2.0 */
/* vigil pause: pauses collecting in a session that runs. */
#include "common/compat.h"
#include "session/commands/switch-collecting.h"

static int pause_main(int argc, char **argv)
{
	return switch_collecting(false, argc, argv);
}

const struct command pause_command = {
	.name = "pause",
	.arguments = "[JOB | PID]",
	.summary = "Pauses collecting in a session that runs",
	.run = pause_main,
};
