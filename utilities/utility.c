/* SPDX-License-Identifier: Apache-2.0 */
/* What the utility programs share. */
#include "common/compat.h"
#include "utilities/utility.h"
#include "common/xalloc.h"
#include "session/datasets/records-buffer.h"
#include "utilities/preload.h"

#include <sys/stat.h>

/* What the environment says of a DD, NULL when it says nothing. */
static const char *said_of(const char *ddname, const char *prefix)
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
	return said_of(ddname, "DD_");
}

const char *utility_dsn(const char *ddname)
{
	return said_of(ddname, "VIGIL_DSN_");
}

bool utility_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

void utility_init(struct utility *utility, const char *name)
{
	const char *path = utility_dd("SYSPRINT");

	*utility = (struct utility){ .name = name };
	if (path)
		utility->print = fopen(path, "ae");
	if (!utility->print)
		utility->print = stdout;
}

int utility_end(struct utility *utility)
{
	bool failed = ferror(utility->print) != 0;

	if (record_output_no_room())
		preload_keep("SB37 there was no room for what was to be written");
	if (fclose(utility->print) != 0 || failed) {
		fprintf(stderr, "%s: messages could not be written: %s\n", utility->name,
			strerror(errno));
		return SEVERITY_SEVERE;
	}
	return (int)utility->worst;
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
	fprintf(utility->print, "%s\n", text.text);
	strbuf_release(&text);
	return -1;
}

int utility_known(struct utility *utility, const char *id, enum severity severity, unsigned number,
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
	if (number) {
		strbuf_addstr(&text, " (");
		diag_format_id(&text, number, severity);
		strbuf_addch(&text, ')');
	}
	fprintf(utility->print, "%s\n", text.text);
	strbuf_release(&text);
	return -1;
}
