/* SPDX-License-Identifier: Apache-2.0 */
/* vigil control: executes control statements from a file or standard input. */
#include "common/compat.h"
#include "session/commands/command.h"
#include "session/requests/carry-out.h"

#include <signal.h>

static int control_main(int argc, char **argv)
{
	struct carry_out_options options = { .messages = stderr, .listing = stdout };
	struct error err = ERROR_INIT;
	struct source *source;
	int status;

	if (argc > 1)
		return command_fail(EXIT_USAGE, "control takes one file, not also %s", argv[1]);
	source = source_read(argc ? argv[0] : "-", &err);
	if (!source) {
		status = command_message(SEVERITY_ERROR, 35, "%s", error_text(&err));
	} else {
		signal(SIGPIPE, SIG_IGN);
		status = carry_out(source, &options);
	}
	source_free(source);
	error_release(&err);
	return status;
}

const struct command control_command = {
	.name = "control",
	.arguments = "[FILE]",
	.summary = "Carries out control statements from a file or standard input",
	.run = control_main,
};
