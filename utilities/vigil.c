/* SPDX-License-Identifier: Apache-2.0 */
/*
 * VIGIL: executes the control statements of SYSIN as a step's program. A REPORT
 * finds the sample data sets of the job's earlier steps in the job's spool.
 */
#include "common/compat.h"
#include "session/requests/carry-out.h"
#include "utilities/utility.h"

#include <unistd.h>

/* Reads the statements of SYSIN, or of standard input without a DD SYSIN. */
static struct source *read_statements(struct utility *utility)
{
	const char *path = utility_dd("SYSIN");
	struct strbuf text = STRBUF_INIT;
	struct source *source = NULL;

	if ((path ? strbuf_read_file(&text, path) : strbuf_read_fd(&text, STDIN_FILENO)) < 0)
		utility_message(utility, SEVERITY_SEVERE, 23, "cannot read SYSIN: %s",
				strerror(errno));
	else
		source = source_new("SYSIN", text.text, text.length);
	strbuf_release(&text);
	return source;
}

int main(int argc, char **argv)
{
	struct utility utility;
	struct source *source;

	utility_init(&utility, "VIGIL");
	source = read_statements(&utility);
	if (source) {
		const struct carry_out_options options = { .cards = true,
							     .spool = getenv("VIGIL_JOB_SPOOL"),
							     .parm = argc > 1 ? argv[1] : NULL,
							     .messages = utility.print,
							     .listing = utility.print };
		unsigned status = (unsigned)carry_out(source, &options);

		if (status > utility.worst)
			utility.worst = status;
	}
	source_free(source);
	return utility_end(&utility);
}
