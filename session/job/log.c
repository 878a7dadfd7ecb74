/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the log of a job, line by line. */
#include "common/compat.h"
#include "session/job/log.h"
#include "common/clock.h"
#include "session/job/jes.h"

#include <fcntl.h>
#include <unistd.h>

int job_log_open(struct job_log *log, int folder, unsigned number, FILE *copy, struct error *err)
{
	*log = (struct job_log){ .messages = -1, .system = -1, .copy = copy, .number = number };
	log->messages = openat(folder, "JESMSGLG", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	RETURN_IF(log->messages < 0, error_errno(err, "cannot create the job log JESMSGLG"));
	log->system = openat(folder, "JESYSMSG", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	RETURN_IF(log->system < 0, error_errno(err, "cannot create the job log JESYSMSG"));
	return 0;
}

void job_log_close(struct job_log *log)
{
	if (log->messages >= 0)
		close(log->messages);
	if (log->system >= 0)
		close(log->system);
	log->messages = log->system = -1;
}

/* Writes a whole text to one of the files, or counts the failure. */
static void write_text(struct job_log *log, int fd, const struct strbuf *text)
{
	size_t done = 0;

	while (done < text->length) {
		ssize_t now = write(fd, text->text + done, text->length - done);

		if (now < 0 && errno == EINTR)
			continue;
		if (now <= 0) {
			if (log->failed++ == 0)
				log->failure = errno;
			return;
		}
		done += (size_t)now;
	}
}

/* Puts the time and the job's number before every line of text, and writes it. */
static void write_messages(struct job_log *log, bool copied, const char *text)
{
	struct strbuf line = STRBUF_INIT, stamp = STRBUF_INIT;

	clock_format_wall_time(&stamp, clock_wall_ns());
	strbuf_addf(&stamp, " JOB%05u  ", log->number);
	while (*text) {
		size_t length = strcspn(text, "\n");

		strbuf_addbuf(&line, &stamp);
		strbuf_add(&line, text, length);
		strbuf_addch(&line, '\n');
		text += length;
		if (*text)
			text++;
	}
	write_text(log, log->messages, &line);
	if (log->copy && copied) {
		fwrite(line.text, 1, line.length, log->copy);
		fflush(log->copy);
	}
	strbuf_release(&stamp);
	strbuf_release(&line);
}

/* Appends "VIGnnnnX " and the text. */
static void format_message(struct strbuf *sb, enum severity severity, unsigned number,
			   const char *format, va_list ap)
{
	diag_format_id(sb, number, severity);
	strbuf_addch(sb, ' ');
	strbuf_vaddf(sb, format, ap);
	diag_escape(sb, 0);
}

void job_log_message(struct job_log *log, enum severity severity, unsigned number,
		     const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	format_message(&text, severity, number, format, ap);
	va_end(ap);
	write_messages(log, true, text.text);
	strbuf_release(&text);
}

void job_log_system(struct job_log *log, enum severity severity, unsigned number,
		    const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	format_message(&text, severity, number, format, ap);
	va_end(ap);
	if (severity >= SEVERITY_ERROR)
		write_messages(log, true, text.text);
	strbuf_addch(&text, '\n');
	write_text(log, log->system, &text);
	strbuf_release(&text);
}

void job_log_system_line(struct job_log *log, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	strbuf_rtrim(&text);
	diag_escape(&text, 0);
	strbuf_addch(&text, '\n');
	write_text(log, log->system, &text);
	strbuf_release(&text);
}

void job_log_line(struct job_log *log, bool copied, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	strbuf_rtrim(&text);
	diag_escape(&text, 0);
	write_messages(log, copied, text.text);
	strbuf_release(&text);
}

void job_log_diagnostic(struct job_log *log, const struct diag *diag)
{
	struct strbuf text = STRBUF_INIT;

	diag_format(diag, &text);
	jes_hide_password(text.text);
	write_text(log, log->system, &text);
	strbuf_release(&text);
}

void job_log_diagnostics(struct job_log *log, struct diag_list *diags)
{
	struct strbuf text = STRBUF_INIT;

	diag_sort(diags);
	for (size_t i = 0; i < diags->count; i++) {
		strbuf_reset(&text);
		diag_format(&diags->items[i], &text);
		jes_hide_password(text.text);
		write_messages(log, true, text.text);
		write_text(log, log->system, &text);
	}
	strbuf_release(&text);
}
