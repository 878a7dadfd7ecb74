/* SPDX-License-Identifier: Apache-2.0 */
/* Determines how a step ended. */
#include "common/compat.h"
#include "session/job/abend.h"
#include "common/clock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Number of bytes at the end of standard error that are searched for a message of
 * the COBOL run time.
 */
#define SEARCHED_BYTES 16384

void outcome_abend(struct step_outcome *outcome, const char *code, const char *format, ...)
{
	va_list ap;

	outcome->abended = true;
	outcome->return_code = 0;
	snprintf(outcome->abend, sizeof(outcome->abend), "%s", code);
	strbuf_reset(&outcome->reason);
	va_start(ap, format);
	strbuf_vaddf(&outcome->reason, format, ap);
	va_end(ap);
}

/* Returns the abend code for a signal. */
static const char *signal_abend(int number)
{
	switch (number) {
	case SIGSEGV:
	case SIGBUS:
		return "S0C4";
	case SIGILL:
	case SIGTRAP:
	case SIGSYS:
		return "S0C1";
	case SIGFPE:
		return "S0C9";
	case SIGXCPU:
		return "S322";
	case SIGXFSZ:
		return "SB37";
	case SIGABRT:
		return "U4038";
	default:
		return "S222";
	}
}

/* Returns whether the step used up its CPU time. */
static bool limit_reached(const struct outcome_facts *facts)
{
	return facts->limit_reached ||
	       (facts->cpu_limit && facts->cpu_used >= facts->cpu_limit * NSEC_PER_SEC);
}

/*
 * Returns whether the CPU time limit ended the step; a shell exits with 128 + the
 * signal that ended its child.
 */
static bool ended_by_limit(const struct outcome_facts *facts)
{
	int end = WIFSIGNALED(facts->status) ? 128 + WTERMSIG(facts->status)
					     : WEXITSTATUS(facts->status);

	if (WIFSIGNALED(facts->status) && end == 128 + SIGXCPU && facts->cpu_limit)
		return true;
	return facts->limit_reached ||
	       (limit_reached(facts) && (end == 128 + SIGXCPU || end == 128 + SIGKILL));
}

static void judge_signal(struct step_outcome *outcome, const struct outcome_facts *facts,
			 int number)
{
	if (facts->cancelled)
		outcome_abend(outcome, "S222", "the job was cancelled by signal %s",
			      sigabbrev_np(facts->cancelled));
	else
		outcome_abend(outcome, signal_abend(number), "ended by signal %s (%s)%s",
			      sigabbrev_np(number), strsignal(number),
			      WCOREDUMP(facts->status) ? ", core dumped" : "");
}

/* Messages of the COBOL run time and their abend codes; the first match counts. */
static const struct runtime_error {
	const char *text, *code;
} runtime_errors[] = {
	{ "is not numeric", "S0C7" },
	{ "not numeric", "S0C7" },
	{ "signal SIGSEGV", "S0C4" },
	{ "signal SIGBUS", "S0C4" },
	{ "signal SIGILL", "S0C1" },
	{ "signal SIGFPE", "S0C9" },
	{ "signal SIGABRT", "U4038" },
	{ "out of bounds", "S0C4" },
	{ "BASED/LINKAGE", "S0C4" },
	{ "unallocated", "S0C4" },
	{ "allocate memory", "S878" },
	{ "cannot allocate", "S878" },
	{ "NULL pointer", "S0C4" },
	{ "not found", "S806" },
	{ "file does not exist", "S013" },
	{ "permission denied", "S913" },
	{ "(status = 34)", "SB37" },
	{ "(status = 2", "U4038" },
	{ "(status = 3", "S013" },
	{ "(status = 4", "S013" },
	{ "(status ", "S013" },
};

/*
 * Returns whether a line reports a signal that the run time caught; the run time
 * then exits with the signal's number.
 */
static bool names_signal(const char *line, size_t length, int status)
{
	const char *name = status < NSIG ? sigabbrev_np(status) : NULL;
	struct strbuf text = STRBUF_INIT;
	bool named;

	strbuf_addf(&text, "(signal SIG%s)", name ? name : "");
	named = name && length >= text.length &&
		strncmp(line + length - text.length, text.text, text.length) == 0;
	strbuf_release(&text);
	return named;
}

/*
 * Returns the first line in text with a run-time error and sets length; NULL:
 * none. status is the program's exit status.
 */
static const char *find_error_line(const char *text, int status, size_t *length)
{
	for (const char *line = text; *line; line += *length + (line[*length] != '\0')) {
		const char *error;

		*length = strcspn(line, "\n");
		if (names_signal(line, *length, status))
			return line;
		if (strncmp(line, "libcob: ", 8) != 0)
			continue;
		error = strstr(line, "error: ");
		if (error && error < line + *length)
			return line;
	}
	return NULL;
}

/* Appends the end of what a step wrote to standard error. */
static void read_error_output(struct strbuf *text, const struct outcome_facts *facts)
{
	int fd = open(facts->error_output, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat info;
	off_t start = (off_t)facts->error_start;

	if (fd < 0)
		return;
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
		if (info.st_size - start > SEARCHED_BYTES)
			start = info.st_size - SEARCHED_BYTES;
		if (lseek(fd, start, SEEK_SET) < 0 || strbuf_read_fd(text, fd) < 0)
			strbuf_reset(text);
	}
	close(fd);
}

/* Sets an abend if an exit was really an error of the COBOL run time. */
static void judge_runtime_error(struct step_outcome *outcome, const struct outcome_facts *facts)
{
	struct strbuf text = STRBUF_INIT;
	const char *code = "U4038", *line;
	int status = WEXITSTATUS(facts->status);
	size_t length = 0;

	read_error_output(&text, facts);
	line = find_error_line(text.text, status, &length);
	if (line) {
		char *whole = strndup(line, length);

		if (names_signal(line, length, status))
			code = signal_abend(status);
		for (size_t i = 0; whole && i < ARRAY_SIZE(runtime_errors); i++)
			if (strstr(whole, runtime_errors[i].text)) {
				code = runtime_errors[i].code;
				break;
			}
		outcome_abend(outcome, code, "%s", whole ? whole : "libcob: error");
		free(whole);
	}
	strbuf_release(&text);
}

/*
 * Returns a step's return code, which is never negative: it has twelve bits as on
 * a mainframe, so -1 is 4095; only -4096 and the like must not become 0.
 */
static unsigned return_code(long full)
{
	unsigned code = (unsigned)full & 4095;

	if (full >= 0)
		return (unsigned)full;
	return code ? code : 4095;
}

/* Returns whether a word is an abend code as the step library writes it: "U0012", "S0C7". */
static bool is_abend_code(const char *word, size_t length)
{
	return length >= 2 && length < sizeof(((struct step_outcome *)NULL)->abend) &&
	       (word[0] == 'U' || word[0] == 'S') &&
	       strspn(word, "0123456789ABCDEFSU") >= length;
}

/*
 * Reads what the step library wrote: an abend that the program asked for ("U0012
 * why"), else the whole return code; without either the exit status is used.
 */
static void judge_status(struct step_outcome *outcome, const struct outcome_facts *facts,
			 unsigned status)
{
	struct strbuf text = STRBUF_INIT;
	char *why, *end;

	outcome->abended = false;
	outcome->return_code = status;
	if (facts->full_code && strbuf_read_file(&text, facts->full_code) == 0 && text.length > 0) {
		long full = strtol(text.text, &end, 10);

		text.text[strcspn(text.text, "\n")] = '\0';
		why = strchr(text.text, ' ');
		if (why && is_abend_code(text.text, (size_t)(why - text.text))) {
			*why = '\0';
			outcome_abend(outcome, text.text, "%s", why + 1);
		} else if (end != text.text && (full & 0xff) == status) {
			outcome->return_code = return_code(full);
		}
	}
	strbuf_release(&text);
}

void outcome_judge(struct step_outcome *outcome, const struct outcome_facts *facts)
{
	int status = WEXITSTATUS(facts->status);

	if (facts->elapsed_limit) {
		outcome_abend(outcome, "S522",
			      "the limit of elapsed time, %.2f minutes, was reached; CPU time used: "
			      "%.2f s",
			      (double)facts->elapsed_limit / (60.0 * NSEC_PER_SEC),
			      (double)facts->cpu_used / NSEC_PER_SEC);
		return;
	}
	if (ended_by_limit(facts)) {
		outcome_abend(outcome, "S322", "the CPU time limit of %" PRIu64 " s was reached",
			      facts->cpu_limit);
		return;
	}
	if (WIFSIGNALED(facts->status)) {
		judge_signal(outcome, facts, WTERMSIG(facts->status));
		return;
	}
	if (facts->cancelled) {
		outcome_abend(outcome, "S222",
			      "the job was cancelled by signal %s; the step ended with status %d",
			      sigabbrev_np(facts->cancelled), status);
		return;
	}
	judge_status(outcome, facts, (unsigned)status);
	if (status != 0 && !outcome->abended)
		judge_runtime_error(outcome, facts);
}
