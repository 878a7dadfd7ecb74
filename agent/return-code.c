/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vigil-step.so: keeps return codes above 255. An exit status has eight bits,
 * a step's return code goes to 4095. Preloaded into a step, this part of the
 * library writes the whole number in decimal to the file VIGIL_STEP_RC when
 * the process VIGIL_STEP_PID ends, or the abend that a program asked for; in
 * every other process that inherits the preload (children of the step) it
 * does nothing at all. When the step's process executes another program, that
 * one is followed.
 *
 * Seen: return from main, exit, error paths of libcob, _exit and _Exit.
 * Not seen: quick_exit, exit system calls of the program's own, programs
 * linked statically or run setuid; then the file does not appear (or was
 * written before by a handler that ran earlier) and the exit status counts.
 * So a reader takes the number only when the process ended by itself and the
 * number's low eight bits are its exit status.
 */
#include "common/compat.h"
#include "agent/step-area.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

void _exit(int status);
void _Exit(int status);

static pid_t step;	    /* 0: this process is not the step's */
static char path[PATH_MAX]; /* of the file; a copy, for the program may change its environment */
static void (*next_exit)(int status) NORETURN;
static bool abended; /* the file says so, and no return code comes after it */

/* Write text to the file; only system calls, _exit may come from a signal handler. */
static void keep_text(const char *text, size_t length)
{
	int saved = errno;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0600);

	if (fd >= 0) {
		/* What cannot be written leaves the file empty: nothing is read. */
		if (write(fd, text, length) < 0)
			errno = saved;
		close(fd);
	}
	errno = saved;
}

/* Write status as text to the file. */
static void keep_status(int status)
{
	char text[16], *at = text + sizeof(text);
	unsigned rest = status < 0 ? -(unsigned)status : (unsigned)status;

	if (!step || getpid() != step || abended)
		return;
	*--at = '\n';
	do {
		*--at = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (status < 0)
		*--at = '-';
	keep_text(at, (size_t)(text + sizeof(text) - at));
}

void step_abend(const char *code, const char *why)
{
	char text[256];
	int length = snprintf(text, sizeof(text), "%s %s\n", code, why);

	fprintf(stderr, "VIG5308E COBOL: ABEND %s: %s\n", code, why);
	if (!step || getpid() != step || abended)
		return;
	keep_text(text, (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1);
	abended = true;
}

/* Called by exit with the whole status. */
static void at_exit(int status, void *argument)
{
	(void)argument;
	keep_status(status);
}

/* Find out whether this process is the step's. */
__attribute__((constructor)) static void begin(void)
{
	const char *number = secure_getenv("VIGIL_STEP_PID");
	const char *file = secure_getenv("VIGIL_STEP_RC");
	void *next;
	char *end;
	long pid;

	if (!number || !file || file[0] != '/' || strlen(file) >= sizeof(path))
		return;
	pid = strtol(number, &end, 10);
	if (end == number || *end || pid <= 0 || pid != getpid())
		return;
	next = dlsym(RTLD_NEXT, "_exit");
	memcpy(&next_exit, &next, sizeof(next_exit));
	memcpy(path, file, strlen(file) + 1);
	step = (pid_t)pid;
	on_exit(at_exit, NULL);
}

/* Stands before the C library's _exit. */
void _exit(int status)
{
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
