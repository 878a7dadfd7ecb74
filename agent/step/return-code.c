/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vigil-step.so: keeps return codes above 255. An exit status has eight bits, a
 * step's return code goes up to 4095. Preloaded into a step, this part of the
 * library writes the whole number in decimal to the file VIGIL_STEP_RC when the
 * process VIGIL_STEP_PID ends, or the abend that a program requested; in every
 * other process that inherits the preload (children of the step) it does nothing.
 * If the step's process executes another program, that one is followed.
 *
 * Covered: return from main, exit, error paths of libcob, _exit and _Exit. Not
 * covered: quick_exit, exit system calls made by the program itself, programs
 * linked statically or run setuid; then the file does not exist (or was written by
 * a handler that ran earlier) and the exit status counts. So a reader uses the
 * number only if the process ended by itself and the number's low eight bits are
 * its exit status.
 */
#include "agent/agent-next.h"
#include "agent/agent-text.h"
#include "agent/file-own.h"
#include "agent/step-area.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

AGENT_VISIBLE void _exit(int status);
AGENT_VISIBLE void _Exit(int status);

static pid_t step;	    /* 0: this is not the step's process */
static char path[PATH_MAX]; /* of the file; a copy, since the program may change its environment */
static void (*next_exit)(int status) NORETURN;
static bool abended; /* an abend is recorded; later return codes are ignored */

/* Writes text to the file; _exit may be called in a signal handler. */
static void keep_text(const struct agent_text *text)
{
	int saved = errno;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0600);

	if (fd >= 0) {
		file_mark_internal(fd);
		/* After a failure the file is empty or partial, and is not used. */
		if (agent_write(fd, text->text, text->length) < 0)
			errno = saved;
		close(fd);
	}
	errno = saved;
}

/* Writes status to the file as text. */
static void keep_status(int status)
{
	char memory[16];
	struct agent_text text = agent_text_in(memory, sizeof(memory));

	if (!step || getpid() != step || abended)
		return;
	agent_text_signed(&text, status);
	agent_text_add(&text, "\n");
	keep_text(&text);
}

void step_abend(const char *code, const char *why)
{
	char memory[256];
	struct agent_text text = agent_text_in(memory, sizeof(memory));

	agent_text_add(&text, "VIG5308E COBOL: ABEND ");
	agent_text_add(&text, code);
	agent_text_add(&text, ": ");
	agent_text_add(&text, why);
	agent_text_add(&text, "\n");
	agent_write_error(&text);
	if (!step || getpid() != step || abended)
		return;
	text = agent_text_in(memory, sizeof(memory));
	agent_text_add(&text, code);
	agent_text_add(&text, " ");
	agent_text_add(&text, why);
	agent_text_add(&text, "\n");
	keep_text(&text);
	abended = true;
}

/* Called by exit with the whole status. */
static void at_exit(int status, void *argument)
{
	(void)argument;
	keep_status(status);
}

/* Parses a decimal process id; returns 0 when it is none. */
static pid_t parse_pid(const char *digits)
{
	long pid = 0;

	if (!*digits)
		return 0;
	for (; *digits; digits++) {
		if (*digits < '0' || *digits > '9' || pid > INT_MAX / 10)
			return 0;
		pid = pid * 10 + (*digits - '0');
	}
	return pid <= INT_MAX ? (pid_t)pid : 0;
}

/* Finds out whether this process is the step's. */
__attribute__((constructor)) static void begin(void)
{
	const char *number = secure_getenv("VIGIL_STEP_PID");
	const char *file = secure_getenv("VIGIL_STEP_RC");
	pid_t pid;

	if (!number || !file || file[0] != '/' || strlen(file) >= sizeof(path))
		return;
	pid = parse_pid(number);
	if (!pid || pid != getpid())
		return;
	agent_next(&next_exit, "_exit");
	memcpy(path, file, strlen(file) + 1);
	step = pid;
	on_exit(at_exit, NULL);
}

/* Interposes on the C library's _exit. */
void _exit(int status)
{
	file_end();
	keep_status(status);
	if (next_exit)
		next_exit(status);
	for (;;)
		syscall(SYS_exit_group, status);
}

void _Exit(int status)
{
	_exit(status);
}
