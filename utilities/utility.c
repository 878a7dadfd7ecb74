/* SPDX-License-Identifier: Apache-2.0 */
/* What the utility programs share: DDs by name, SYSPRINT, messages. */
#include "common/compat.h"
#include "utilities/utility.h"
#include "common/xalloc.h"
#include "datasets/records-buffer.h"
#include "utilities/preload.h"

#include <fcntl.h>
#include <sys/stat.h>

/* Returns the value of a DD's variable; NULL when it is unset or empty. */
static const char *environment_value(const char *ddname, const char *prefix)
{
	struct strbuf name = STRBUF_INIT;
	const char *value;

	strbuf_addf(&name, "%s%s", prefix, ddname);
	value = getenv(name.text);
	strbuf_release(&name);
	return value && *value ? value : NULL;
}

const char *utility_dd(const char *ddname)
{
	return environment_value(ddname, "DD_");
}

const char *utility_dsn(const char *ddname)
{
	return environment_value(ddname, "VIGIL_DSN_");
}

bool utility_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* Returns whether a path is a SYSOUT data set: a file directly in the job's spool folder. */
static bool is_sysout(const char *path)
{
	const char *spool = getenv("VIGIL_JOB_SPOOL");
	size_t length = spool ? strlen(spool) : 0;

	return length > 0 && strncmp(path, spool, length) == 0 && path[length] == '/' &&
	       !strchr(path + length + 1, '/');
}

bool utility_is_stream(const char *path)
{
	struct stat info;

	return is_sysout(path) || strncmp(path, "/dev/", 5) == 0 ||
	       (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

FILE *utility_listing(const char *path)
{
	int anew = utility_is_stream(path) ? 0 : O_TRUNC;
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_CLOEXEC | anew, 0666);

	return fd < 0 ? NULL : fdopen(fd, "a");
}

void utility_init(struct utility *utility, const char *name)
{
	const char *path = utility_dd("SYSPRINT");

	*utility = (struct utility){ .name = name };
	if (path)
		utility->print = utility_listing(path);
	if (!utility->print)
		utility->print = stdout;
}

int utility_end(struct utility *utility)
{
	bool failed = ferror(utility->print) != 0;

	if (record_output_disk_full())
		preload_store_code("SB37 there was no space for the output");
	if (fclose(utility->print) != 0 || failed) {
		fprintf(stderr, "%s: messages could not be written: %s\n", utility->name,
			strerror(errno));
		return SEVERITY_SEVERE;
	}
	return (int)utility->worst;
}

void utility_echo(FILE *print, const char *before, const char *text, size_t length,
		  const char *behind)
{
	struct strbuf line = STRBUF_INIT;

	diag_add_printable(&line, text, length);
	fprintf(print, "%s%s%s\n", before, line.text, behind);
	strbuf_release(&line);
}

void utility_print_error(const char *format, ...)
{
	struct strbuf line = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&line, format, ap);
	va_end(ap);
	diag_escape(&line, 0);
	fprintf(stderr, "%s\n", line.text);
	strbuf_release(&line);
}

int utility_message(struct utility *utility, enum severity severity, unsigned number,
		    const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	if (severity > utility->worst)
		utility->worst = severity;
	diag_format_id(&text, number, severity);
	strbuf_addf(&text, " %s: ", utility->name);
	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	diag_escape(&text, 0);
	fprintf(utility->print, "%s\n", text.text);
	strbuf_release(&text);
	return -1;
}

int utility_foreign_message(struct utility *utility, const char *id, enum severity severity, unsigned number,
		  const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	if (severity > utility->worst)
		utility->worst = severity;
	strbuf_addf(&text, "%s ", id);
	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	diag_escape(&text, 0);
	if (number) {
		strbuf_addstr(&text, " (");
		diag_format_id(&text, number, severity);
		strbuf_addch(&text, ')');
	}
	fprintf(utility->print, "%s\n", text.text);
	strbuf_release(&text);
	return -1;
}
