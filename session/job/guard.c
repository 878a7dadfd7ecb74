/* SPDX-License-Identifier: Apache-2.0 */
/* Sees to it that a job whose vigil is killed ends, and says so. */
#include "common/compat.h"
#include "session/job/guard.h"
#include "common/procfs.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is written to the guard: a process id, 0 for none, or this. */
#define JOB_OVER (-1)

static const char killed_state[8] = "KILLED  ";
static const char killed_message[] =
	"VIG5042S vigil was killed while the job was running: what ran was ended, nothing more is "
	"done\n";

/*
 * Keep only the descriptors the guard needs, as 0, 1 and 2: a lock of vigil's
 * must not live on in it, nor a pipe somebody reads the job log from.
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

/* Whether a process has an item in its environment. */
static bool has_item(pid_t pid, const struct strbuf *item)
{
	struct strbuf text = STRBUF_INIT;
	char path[PROCFS_PATH_SIZE];
	bool found = false;

	if (strbuf_read_file(&text, procfs_process(path, pid, "environ")) == 0)
		for (size_t at = 0; at < text.length && !found; at += strlen(text.text + at) + 1)
			found = strcmp(text.text + at, item->text) == 0;
	strbuf_release(&text);
	return found;
}

/* End the step's processes that left its process group: they still have the job's environment. */
static void end_left(const struct strbuf *item)
{
	unsigned count = 1;

	for (int round = 0; round < 10 && count > 0; round++) {
		struct procfs_numbers walk;
		long pid;

		count = 0;
		procfs_processes(&walk);
		while ((pid = procfs_next_number(&walk)) >= 0)
			if (pid != getpid() && has_item((pid_t)pid, item))
				count += kill((pid_t)pid, SIGKILL) == 0;
	}
}

/* The guard: reads until vigil says that the job is over, or is no more. */
static NORETURN void guard_run(int pipe_end, int state, int messages, const char *spool)
{
	struct strbuf item = STRBUF_INIT;
	pid_t now = 0, next;
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	keep_only(pipe_end, state, messages);
	while (read(STDIN_FILENO, &next, sizeof(next)) == (ssize_t)sizeof(next)) {
		if (next == JOB_OVER)
			_exit(0);
		now = next;
	}
	if (now > 0)
		kill(-now, SIGKILL);
	strbuf_addf(&item, "VIGIL_JOB_SPOOL=%s", spool);
	end_left(&item);
	strbuf_release(&item);
	if (pwrite(1, killed_state, sizeof(killed_state), 0) < 0 ||
	    write(2, killed_message, sizeof(killed_message) - 1) < 0)
		_exit(1);
	_exit(0);
}

void guard_start(struct runner *runner)
{
	int ends[2] = { -1, -1 };
	long pid = -1;

	runner->guard = -1;
	if (pipe2(ends, O_CLOEXEC) == 0)
		/* Without an exit signal: waiting for the step's processes does not see it. */
		pid = syscall(SYS_clone, 0L, NULL, NULL, NULL, NULL);
	if (pid == 0) {
		close(ends[1]);
		guard_run(ends[0], runner->spool.state, runner->log.messages, runner->spool.path);
	}
	if (ends[0] >= 0)
		close(ends[0]);
	if (pid > 0) {
		runner->guard = ends[1];
		runner->guard_pid = (pid_t)pid;
		return;
	}
	job_log_message(
		&runner->log, SEVERITY_WARNING, 5043,
		"the job runs without a guard: if vigil is killed, its step may run on (%s)",
		strerror(errno));
	if (ends[1] >= 0)
		close(ends[1]);
}

void guard_step(const struct runner *runner, pid_t pid)
{
	if (runner->guard >= 0 && write(runner->guard, &pid, sizeof(pid)) < 0)
		return; /* the guard was killed: the job runs on without */
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
