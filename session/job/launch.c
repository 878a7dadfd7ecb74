/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the process of a step. */
#include "common/compat.h"
#include "session/job/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* Exit status of a child whose exec failed; the reason is told separately. */
#define CHILD_FAILED 127

/* How the child tells the parent over the gate what failed. */
struct child_failure {
	int number;
	char what[16];
};

/* From here to child_run: code of the child, in which only async-signal-safe calls are allowed. */

static void child_fail(volatile struct launch *launch, int gate, const char *what)
{
	struct child_failure failure = { .number = errno };

	if (gate >= 0) {
		memcpy(failure.what, what, strlen(what) + 1);
		if (write(gate, &failure, sizeof(failure)) < 0)
			_exit(CHILD_FAILED);
	} else {
		launch->failure = failure.number; /* vfork: the parent's memory */
		launch->failed = what;
	}
	_exit(CHILD_FAILED);
}

static void child_write_pid(char *digits)
{
	pid_t pid = getpid();

	for (int at = 9; at >= 0; at--, pid /= 10)
		digits[at] = (char)('0' + pid % 10);
}

/* Signals as a fresh program expects them. */
static void child_signals(const sigset_t *mask)
{
	static const int reset[] = { SIGPIPE, SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGCHLD, SIGXCPU };

	for (size_t i = 0; i < ARRAY_SIZE(reset); i++)
		signal(reset[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
}

static int child_stream(const char *path, int flags, int fd)
{
	int opened = open(path, flags | O_NOCTTY, 0666);

	RETURN_IF(opened < 0, -1);
	if (opened != fd) {
		RETURN_IF(dup2(opened, fd) < 0, -1);
		close(opened);
	}
	return 0;
}

static int child_streams(const struct launch *launch)
{
	RETURN_IF(child_stream(launch->input, O_RDONLY, 0) < 0, -1);
	RETURN_IF(child_stream(launch->output, O_WRONLY | O_APPEND | O_CREAT, 1) < 0, -1);
	if (launch->error)
		return child_stream(launch->error, O_WRONLY | O_APPEND | O_CREAT, 2);
	return dup2(1, 2) < 0 ? -1 : 0;
}

/* CPU time: SIGXCPU at the limit, SIGKILL two seconds later. */
static int child_limits(const struct launch *launch)
{
	struct rlimit limit;

	if (launch->cpu_limit == 0)
		return 0;
	RETURN_IF(getrlimit(RLIMIT_CPU, &limit) < 0, -1);
	if (limit.rlim_max == RLIM_INFINITY || launch->cpu_limit + 2 < limit.rlim_max)
		limit.rlim_max = launch->cpu_limit + 2;
	limit.rlim_cur = launch->cpu_limit < limit.rlim_max ? launch->cpu_limit : limit.rlim_max;
	return setrlimit(RLIMIT_CPU, &limit);
}

/* Run a script that has no "#!" line as every shell does: by the shell. */
static void child_exec_script(const struct launch *launch)
{
	char *arguments[4] = { (char[]){ "sh" }, NULL, NULL, NULL };

	memcpy(&arguments[1], &launch->program, sizeof(launch->program));
	if (launch->arguments[0])
		arguments[2] = launch->arguments[1];
	execve("/bin/sh", arguments, launch->environment);
}

static NORETURN void child_run(struct launch *launch, const sigset_t *mask, pid_t parent, int gate)
{
	char go;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(CHILD_FAILED);
	if (launch->pid_digits)
		child_write_pid(launch->pid_digits);
	if (child_streams(launch) < 0)
		child_fail(launch, gate, "streams");
	if (chdir(launch->folder) < 0)
		child_fail(launch, gate, "folder");
	if (child_limits(launch) < 0)
		child_fail(launch, gate, "CPU limit");
	if (launch->inherited)
		fcntl(launch->inherited, F_SETFD, 0);
	if (gate >= 0 && read(gate, &go, 1) != 1)
		_exit(CHILD_FAILED);
	child_signals(mask);
	execve(launch->program, launch->arguments, launch->environment);
	if (errno == ENOEXEC)
		child_exec_script(launch);
	child_fail(launch, gate, "exec");
	_exit(CHILD_FAILED);
}

/* Fork a child that waits at the gate. */
static int start_gated(struct launch *launch, const sigset_t *mask, struct error *err)
{
	pid_t parent = getpid();
	int gate[2];

	RETURN_IF(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gate) < 0,
		  error_errno(err, "the step's process cannot be made"));
	launch->pid = fork();
	if (launch->pid == 0) {
		close(gate[0]);
		child_run(launch, mask, parent, gate[1]);
	}
	close(gate[1]);
	if (launch->pid < 0) {
		close(gate[0]);
		return error_errno(err, "the step's process cannot be made");
	}
	setpgid(launch->pid, launch->pid);
	launch->gate = gate[0];
	return 0;
}

/* The child borrows this process's memory until its exec. */
static __attribute__((noinline)) pid_t start_borrowing(struct launch *launch, const sigset_t *mask,
						       pid_t parent)
{
	pid_t pid = vfork();

	if (pid == 0)
		child_run(launch, mask, parent, -1);
	return pid;
}

int launch_start(struct launch *launch, struct error *err)
{
	sigset_t all, before;
	int result = 0;

	launch->gate = -1;
	launch->failure = 0;
	launch->failed = NULL;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	/* The step starts with no signal blocked, whatever vigil itself blocks. */
	sigset_t none;
	sigemptyset(&none);
	if (launch->gated) {
		result = start_gated(launch, &none, err);
	} else {
		launch->pid = start_borrowing(launch, &none, getpid());
		if (launch->pid < 0)
			result = error_errno(err, "the step's process cannot be made");
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return result;
}

void launch_release(struct launch *launch)
{
	if (send(launch->gate, "g", 1, MSG_NOSIGNAL) < 0)
		launch_finish(launch); /* it ended already: the reason can be read */
}

void launch_finish(struct launch *launch)
{
	static const char *const what[] = { "streams", "folder", "CPU limit", "exec" };
	struct child_failure failure;

	if (launch->gate < 0)
		return;
	if (recv(launch->gate, &failure, sizeof(failure), MSG_DONTWAIT) ==
	    (ssize_t)sizeof(failure)) {
		failure.what[sizeof(failure.what) - 1] = '\0';
		launch->failure = failure.number;
		for (size_t i = 0; i < ARRAY_SIZE(what); i++)
			if (strcmp(what[i], failure.what) == 0)
				launch->failed = what[i];
	}
	close(launch->gate);
	launch->gate = -1;
}
