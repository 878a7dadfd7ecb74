/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the job of a killed vigil, and records that. */
#include "common/compat.h"
#include "session/job/guard.h"
#include "session/job/remains.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Written to the guard: a process id, 0 for none, or this value. */
#define JOB_OVER (-1)

static const char killed_state[8] = "KILLED  ";
static const char killed_message[] =
	"VIG5042S vigil was killed while the job was running: its processes were ended, nothing "
	"more is done\n";
static const char alive_message[] =
	"VIG5045S vigil was killed while the job was running: nothing more is done, but these "
	"processes of the step could not be ended and continue: ";

/*
 * Keeps only the descriptors that the guard needs, as 0, 1 and 2: it must not keep
 * alive a lock of vigil's, nor a pipe from which the job log is read.
 */
static void keep_only(int pipe_end, int state, int messages)
{
	const int kept[3] = { fcntl(pipe_end, F_DUPFD, 10), fcntl(state, F_DUPFD, 10),
			      fcntl(messages, F_DUPFD, 10) };

	for (int fd = 0; fd < 3; fd++)
		if (dup2(kept[fd], fd) < 0)
			_exit(1);
	syscall(SYS_close_range, 3U, ~0U, 0U);
}

/*
 * Waits for the next message from vigil; meanwhile notes the step's orphans, which
 * become children of vigil.
 */
static ssize_t read_next(pid_t *next, pid_t vigil, pid_t step, struct remains *seen,
			 const struct remains *before)
{
	struct pollfd wanted = { .fd = STDIN_FILENO, .events = POLLIN };

	while (step > 0 && poll(&wanted, 1, REMAINS_NOTE_MS) == 0)
		remains_note_descendants(seen, vigil, before);
	return read(STDIN_FILENO, next, sizeof(*next));
}

/* Records in STATE and in the log that vigil was killed, and which processes could not be ended. */
static NORETURN void record_killed(const struct strbuf *alive)
{
	struct strbuf text = STRBUF_INIT;

	if (alive->length)
		strbuf_addf(&text, "%s%s\n", alive_message, alive->text);
	else
		strbuf_addstr(&text, killed_message);
	if (pwrite(1, killed_state, sizeof(killed_state), 0) < 0 ||
	    write(2, text.text, text.length) < 0)
		_exit(1);
	_exit(0);
}

/* Runs the guard: reads until vigil reports that the job is over, or has died. */
static NORETURN void guard_run(int pipe_end, const struct runner *runner, struct remains before)
{
	struct strbuf alive = STRBUF_INIT;
	struct remains seen = { 0 };
	pid_t now = 0, next, vigil = getppid();
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	keep_only(pipe_end, runner->spool.state, runner->log.messages);
	remains_hold(&before);
	while (read_next(&next, vigil, now, &seen, &before) == (ssize_t)sizeof(next)) {
		if (next == JOB_OVER)
			_exit(0);
		now = next;
	}
	/* All in one go: descendants of a process can be found only while it lives. */
	remains_end(&seen, runner->spool.path, now, &alive);
	record_killed(&alive);
}

void guard_start(struct runner *runner)
{
	/* Noted here, because the guard may first be scheduled when the step is already running. */
	struct remains before = { 0 };
	int ends[2] = { -1, -1 };
	long pid = -1;

	runner->guard = -1;
	remains_note_children(&before);
	if (pipe2(ends, O_CLOEXEC) == 0)
		/*
		 * No exit signal, so that waiting for the step's processes does not see the guard.
		 */
		pid = syscall(SYS_clone, 0L, NULL, NULL, NULL, NULL);
	if (pid == 0) {
		close(ends[1]);
		guard_run(ends[0], runner, before);
	}
	remains_release(&before);
	if (ends[0] >= 0)
		close(ends[0]);
	if (pid > 0) {
		runner->guard = ends[1];
		runner->guard_pid = (pid_t)pid;
		return;
	}
	job_log_message(
		&runner->log, SEVERITY_WARNING, 5043,
		"the job runs without a guard: if vigil is killed, its step may continue (%s)",
		strerror(errno));
	if (ends[1] >= 0)
		close(ends[1]);
}

void guard_step(const struct runner *runner, pid_t pid)
{
	if (runner->guard >= 0 && write(runner->guard, &pid, sizeof(pid)) < 0)
		return; /* the guard was killed; the job runs on without it */
}

void guard_end(struct runner *runner)
{
	if (runner->guard < 0)
		return;
	guard_step(runner, JOB_OVER);
	close(runner->guard);
	runner->guard = -1;
	waitpid(runner->guard_pid, NULL, __WALL);
}
