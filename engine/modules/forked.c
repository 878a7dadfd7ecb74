/* SPDX-License-Identifier: Apache-2.0 */
/* Forks a process, and reports how it ended. */
#include "common/compat.h"
#include "engine/modules/forked.h"
#include "common/clock.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Time for a process to end by itself once its socket is closed. */
#define GRACE (200 * NSEC_PER_MSEC)

/* First exit function in the copy, so that exit ends it at once. */
static void leave(int status, void *argument UNUSED)
{
	_exit(status);
}

/* Detaches the copy from what it must not share with the original process. */
static void detach_from_parent(int *fd)
{
	const struct rlimit no_core = { 0, 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	setrlimit(RLIMIT_CORE, &no_core);
	if (*fd != 3 && dup2(*fd, 3) == 3)
		*fd = 3;
	close_range(4, ~0U, 0);
	on_exit(leave, NULL);
}

int forked_start(struct forked *forked, void (*child)(void *argument, int fd), void *argument,
		 struct error *err)
{
	pid_t parent = getpid();
	sigset_t none;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return error_errno(err, "a process cannot be started");
	forked->pid = fork();
	if (forked->pid < 0) {
		close(ends[0]);
		close(ends[1]);
		return error_errno(err, "a process cannot be started");
	}
	if (forked->pid == 0) {
		detach_from_parent(&ends[1]);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		if (getppid() == parent)
			child(argument, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	forked->fd = ends[0];
	return 0;
}

bool forked_wait(const struct forked *forked, uint64_t timeout)
{
	struct pollfd poll = { .fd = forked->fd, .events = POLLIN };
	uint64_t end = clock_monotonic_ns() + timeout;

	for (;;) {
		uint64_t now = clock_monotonic_ns(), left = end > now ? end - now : 0;
		const struct timespec wait = { (time_t)(left / NSEC_PER_SEC),
					       (long)(left % NSEC_PER_SEC) };
		int found = ppoll(&poll, 1, &wait, NULL);

		if (found > 0 || (found < 0 && errno != EINTR))
			return found > 0;
		if (!left)
			return false;
	}
}

/* Waits a while for the end. Returns false when the process does not end. */
static bool reap(struct forked *forked, int *status)
{
	uint64_t end = clock_monotonic_ns() + GRACE;
	const struct timespec pause = { 0, 200 * 1000 };
	pid_t ended;

	while ((ended = waitpid(forked->pid, status, WNOHANG)) == 0 && clock_monotonic_ns() < end)
		nanosleep(&pause, NULL);
	if (ended < 0)
		*status = 0; /* the client has reaped it */
	return ended != 0;
}

void forked_end(struct forked *forked, struct strbuf *how)
{
	int status = 0;
	bool ended;

	if (!forked->pid)
		return;
	/* Distinguishes a process that died from one that is ended by its socket. */
	ended = forked_wait(forked, 0);
	close(forked->fd);
	if (!reap(forked, &status)) {
		kill(forked->pid, SIGKILL);
		while (waitpid(forked->pid, &status, 0) < 0 && errno == EINTR)
			;
		ended = false;
	}
	forked->pid = 0;
	if (!how)
		return;
	if (!ended)
		strbuf_addstr(how, "it did not return");
	else if (WIFSIGNALED(status))
		strbuf_addf(how, "it was ended by signal %d (%s)", WTERMSIG(status),
			    strsignal(WTERMSIG(status)));
	else
		strbuf_addf(how, "it called exit (%d)", WEXITSTATUS(status));
}
