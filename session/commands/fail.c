/* SPDX-License-Identifier: Apache-2.0 */
/* Error messages of the commands. */
#include "common/compat.h"
#include "session/commands/command.h"

/*
 * Finishes a line and writes it with one call, so that it is not mixed with lines
 * of other processes.
 */
static void write_line(struct strbuf *line, const char *format, va_list ap)
{
	size_t from = line->length;

	strbuf_vaddf(line, format, ap);
	diag_escape(line, from);
	strbuf_addch(line, '\n');
	fwrite(line->text, 1, line->length, stderr);
	strbuf_release(line);
}

int command_message(enum severity severity, unsigned number, const char *format, ...)
{
	struct strbuf line = STRBUF_INIT;
	va_list ap;

	strbuf_addstr(&line, "vigil: ");
	diag_format_id(&line, number, severity);
	strbuf_addch(&line, ' ');
	va_start(ap, format);
	write_line(&line, format, ap);
	va_end(ap);
	return (int)severity;
}

static void say(void *argument UNUSED, enum severity severity, unsigned number, const char *text)
{
	command_message(severity, number, "%s", text);
}

const struct message_sink command_messages = { say, NULL };

int command_fail(int status, const char *format, ...)
{
	struct strbuf line = STRBUF_INIT;
	va_list ap;

	strbuf_addstr(&line, "vigil: ");
	va_start(ap, format);
	write_line(&line, format, ap);
	va_end(ap);
	return status;
}
