/* SPDX-License-Identifier: Apache-2.0 */
/* Starts the process of a step. */
#include "common/compat.h"
#include "session/job/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Exit status of a child whose exec failed; the reason is sent separately. */
#define CHILD_FAILED 127
/* CPU seconds that a program has to close its files after reaching its limit. */
#define CLOSING_SECONDS 5
/* CPU seconds, and a quarter of the limit, by which the kernel's own limit is higher than TIME. */
#define KERNEL_SECONDS 2

/* From here to child_run: code of the child, which may only make async-signal-safe calls. */

static NORETURN void child_fail(volatile struct launch *launch, int gate, const char *what)
{
	if (gate >= 0)
		gate_fail(gate, what, CHILD_FAILED);
	launch->failure = errno; /* after vfork this is the parent's memory */
	launch->failed = what;
	_exit(CHILD_FAILED);
}

static void child_write_pid(char *digits)
{
	pid_t pid = getpid();

	for (int at = 9; at >= 0; at--, pid /= 10)
		digits[at] = (char)('0' + pid % 10);
}

/* Resets signals to what a fresh program expects. */
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

/*
 * The supervisor ends a step whose processes have used up their CPU time, by their exact times
 * (supervise.c): SIGXCPU first, which lets a COBOL program close its files. The kernel's own limit
 * stands behind it. It counts ticks of a process, which may be ahead of what the process used: a
 * shell whose child the kernel ended too early would go on, and no limit would have been reached.
 */
static int child_limits(const struct launch *launch)
{
	const uint64_t soft = launch->cpu_limit + launch->cpu_limit / 4 + KERNEL_SECONDS;
	struct rlimit limit;

	if (launch->cpu_limit == 0)
		return 0;
	RETURN_IF(getrlimit(RLIMIT_CPU, &limit) < 0, -1);
	if (limit.rlim_max == RLIM_INFINITY || soft + CLOSING_SECONDS < limit.rlim_max)
		limit.rlim_max = soft + CLOSING_SECONDS;
	limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
	return setrlimit(RLIMIT_CPU, &limit);
}

/* Runs a script without a "#!" line as every shell does: with the shell. */
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
	if (gate >= 0)
		gate_wait(gate, CHILD_FAILED);
	child_signals(mask);
	execve(launch->program, launch->arguments, launch->environment);
	if (errno == ENOEXEC)
		child_exec_script(launch);
	child_fail(launch, gate, "exec");
}

/* Arguments of a gated child. */
struct gated {
	struct launch *launch;
	const sigset_t *mask;
	pid_t parent;
};

/* Runs the child behind the gate (gate_fork). */
static void child_become(void *argument, int gate)
{
	const struct gated *gated = argument;

	child_run(gated->launch, gated->mask, gated->parent, gate);
}

/* Forks a child that waits at the gate. */
static int start_gated(struct launch *launch, const sigset_t *mask, struct error *err)
{
	struct gated gated = { launch, mask, getpid() };

	RETURN_IF(gate_fork(&launch->gate, "the step's process", child_become, &gated, err) < 0, -1);
	launch->pid = launch->gate.pid;
	setpgid(launch->pid, launch->pid);
	return 0;
}

/* Starts a child that borrows this process's memory until its exec. */
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

	launch->gate.fd = -1;
	launch->gate.failure = 0;
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
			result = error_errno(err, "cannot start the step's process");
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return result;
}

void launch_release(struct launch *launch)
{
	gate_open(&launch->gate);
}

void launch_finish(struct launch *launch)
{
	gate_close(&launch->gate, false);
	if (!launch->gate.failure)
		return;
	launch->failure = launch->gate.failure;
	launch->failed = launch->gate.what;
}
