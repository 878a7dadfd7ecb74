/* SPDX-License-Identifier: Apache-2.0 */
/* How commands say what went wrong. */
#include "common/compat.h"
#include "session/commands/command.h"
#include "common/strbuf.h"

int command_fail(int status, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	strbuf_addstr(&text, "vigil: ");
	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	strbuf_addch(&text, '\n');
	fwrite(text.text, 1, text.length, stderr);
	strbuf_release(&text);
	return status;
}
