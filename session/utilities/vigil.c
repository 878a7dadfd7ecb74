/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PGM=VIGIL: carries out the control statements of SYSIN; messages and
 * listings go to SYSPRINT. A REPORT finds the sample data sets of the job's
 * earlier steps by job and step.
 */
#include "common/compat.h"
#include "session/commands/control-run.h"
#include "session/utilities/utility.h"

int main(void)
{
	struct utility utility;
	const char *path = utility_dd("SYSIN");
	struct error err = ERROR_INIT;
	struct source *source;
	int messages;

	utility_init(&utility, "VIGIL");
	source = path ? source_read(path, &err) : NULL;
	if (source) {
		const struct control_run_options options = { .cards = true,
							     .spool = getenv("VIGIL_JOB_SPOOL"),
							     .messages = utility.print,
							     .listing = utility.print };

		utility.worst = (unsigned)control_run(source, &options);
	} else {
		utility_message(&utility, SEVERITY_SEVERE, 5501, "SYSIN cannot be read: %s",
				path ? error_text(&err) : "the DD is missing");
	}
	source_free(source);
	error_release(&err);
	messages = utility_end(&utility);
	return messages;
}
