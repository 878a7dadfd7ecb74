/* SPDX-License-Identifier: Apache-2.0 */
/* The reason why a library function failed, as full sentences for the user. */
#include "common/compat.h"
#include "common/error.h"

void error_init(struct error *err)
{
	strbuf_init(&err->text);
}

void error_release(struct error *err)
{
	strbuf_release(&err->text);
}

int error_set(struct error *err, const char *format, ...)
{
	va_list ap;

	if (!err)
		return -1;
	strbuf_reset(&err->text);
	va_start(ap, format);
	strbuf_vaddf(&err->text, format, ap);
	va_end(ap);
	return -1;
}

int error_errno(struct error *err, const char *format, ...)
{
	int saved = errno;
	va_list ap;

	if (!err)
		return -1;
	strbuf_reset(&err->text);
	va_start(ap, format);
	strbuf_vaddf(&err->text, format, ap);
	va_end(ap);
	strbuf_addf(&err->text, ": %s", strerror(saved));
	errno = saved;
	return -1;
}

int error_prefix(struct error *err, const char *format, ...)
{
	struct strbuf whole = STRBUF_INIT;
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, format);
	strbuf_vaddf(&whole, format, ap);
	va_end(ap);
	if (err->text.length)
		strbuf_addf(&whole, ": %s", err->text.text);
	strbuf_release(&err->text);
	err->text = whole;
	return -1;
}

const char *error_text(const struct error *err)
{
	return err->text.text;
}
