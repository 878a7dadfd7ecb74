/* SPDX-License-Identifier: Apache-2.0 */
/* VIGIL: carries out the control statements of SYSIN in a step of its own. */
#include "common/compat.h"
#include "session/commands/control-run.h"
#include "session/utilities/utility.h"

#include <unistd.h>

/*
 * The job's spool folder, where earlier steps left their sample data sets:
 * the step's own folder is work/step.NAME in it. NULL outside a job. The
 * caller frees it.
 */
static char *spool_folder(void)
{
	const char *folder = getenv("TMPDIR"), *step = getenv("VIGIL_STEP");
	struct strbuf suffix = STRBUF_INIT, spool = STRBUF_INIT;
	size_t length;

	if (!folder || !step)
		return NULL;
	strbuf_addf(&suffix, "/work/step.%s", step);
	length = strlen(folder);
	if (length > suffix.length && strcmp(folder + length - suffix.length, suffix.text) == 0)
		strbuf_add(&spool, folder, length - suffix.length);
	strbuf_release(&suffix);
	if (!spool.length)
		return NULL;
	return strbuf_detach(&spool, NULL);
}

/* The statements of SYSIN, or of standard input without such a DD. */
static struct source *read_statements(struct utility *utility)
{
	const char *path = utility_dd("SYSIN");
	struct strbuf text = STRBUF_INIT;
	struct source *source = NULL;

	if ((path ? strbuf_read_file(&text, path) : strbuf_read_fd(&text, STDIN_FILENO)) < 0)
		utility_message(utility, SEVERITY_SEVERE, 23, "SYSIN cannot be read: %s",
				strerror(errno));
	else
		source = source_new("SYSIN", text.text, text.length);
	strbuf_release(&text);
	return source;
}

int main(void)
{
	struct utility utility;
	struct source *source;
	char *spool = spool_folder();

	utility_init(&utility, "VIGIL");
	source = read_statements(&utility);
	if (source) {
		const struct control_run_options options = { .cards = true,
							     .spool = spool,
							     .messages = utility.print,
							     .listing = utility.print };
		unsigned status = (unsigned)control_run(source, &options);

		if (status > utility.worst)
			utility.worst = status;
	}
	source_free(source);
	free(spool);
	return utility_end(&utility);
}
