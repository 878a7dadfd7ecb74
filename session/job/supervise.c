/* SPDX-License-Identifier: Apache-2.0 */
/* Watches a step until it and everything it started are over. */
#include "common/compat.h"
#include "session/job/supervise.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "session/job/process-tree.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SERVICE_MS 20
#define CANCEL_GRACE (5 * NSEC_PER_SEC)
#define LIMIT_GRACE (5 * NSEC_PER_SEC)
#define LIMIT_POLL (20 * NSEC_PER_MSEC)
#define CHECK_SHARE 20 /* a check takes at most 1/CHECK_SHARE of the time */
#define LEFT_GRACE (1 * NSEC_PER_SEC)
#define LEFT_GIVE_UP (10 * NSEC_PER_SEC)
#define LEFT_POLL_MS 10
#define PARENT_POLL (60 * NSEC_PER_SEC)

/* Sets the signals that cancel a job; not SIGHUP under nohup(1). */
static void cancel_signals(sigset_t *set)
{
	struct sigaction hangup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGQUIT);
	if (sigaction(SIGHUP, NULL, &hangup) < 0 || hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
}

/* Takes a pending signal; 0: there is none. */
static int take_signal(struct runner *runner)
{
	struct signalfd_siginfo info;

	if (runner->signals < 0 ||
	    read(runner->signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return 0;
	return (int)info.ssi_signo;
}

bool supervise_cancelled(struct runner *runner, int timeout_ms)
{
	struct pollfd wanted = { .fd = runner->signals, .events = POLLIN };
	int number;

	if (runner->cancelled == 0 && poll(&wanted, 1, timeout_ms) > 0) {
		number = take_signal(runner);
		if (number)
			runner->cancelled = number;
	}
	return runner->cancelled != 0;
}

/* The step's process while it is watched. */
struct watch {
	struct runner *runner;
	const char *step_name;
	pid_t pid;
	int pidfd;
	uint64_t kill_at;   /* ns monotonic; 0: it is not being ended */
	uint64_t cpu_limit; /* seconds; 0: none */
	uint64_t end_at;    /* ns monotonic; end of its elapsed time; 0: never */
	uint64_t check_at;  /* ns monotonic; next check of its CPU time */
	uint64_t started;   /* ns monotonic */
	uint64_t remind_at; /* ns monotonic; next report that it is still running; 0: never */
	uint64_t parent_check_at;   /* ns monotonic; next check of this program's parent; 0: no more */
	struct step_usage *usage;
};

/* Adds the usage of a process that has been waited for. */
static void add_usage(struct step_usage *usage, const struct rusage *used)
{
	usage->user += clock_timeval_ns(&used->ru_utime);
	usage->system += clock_timeval_ns(&used->ru_stime);
	if ((uint64_t)used->ru_maxrss * 1024 > usage->peak)
		usage->peak = (uint64_t)used->ru_maxrss * 1024;
}

/*
 * Returns whether a child was not created by a step of the job: it existed before,
 * or serves the measurement.
 */
static bool is_foreign(const struct runner *runner, pid_t pid)
{
	if (runner->service && runner->service->owns(runner->service->argument, pid))
		return true;
	for (size_t i = 0; i < runner->foreign_count; i++)
		if (runner->preexisting[i] == pid)
			return true;
	return false;
}

/* Returns the ns of CPU time that all processes of the step have used so far. */
static uint64_t used_so_far(const struct watch *watch)
{
	uint64_t used = watch->usage->user + watch->usage->system;
	struct processes processes;

	processes_read(&processes);
	for (size_t i = 0; i < processes.count; i++) {
		pid_t branch = processes_branch(&processes, processes.items[i].pid, getpid());

		if (branch && branch != watch->runner->guard_pid &&
		    !is_foreign(watch->runner, branch))
			used += processes.items[i].cpu;
	}
	processes_release(&processes);
	return used;
}

/* Returns the minimum time in which all processors together can use that much CPU time. */
static uint64_t soonest(uint64_t cpu)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return cpu / (uint64_t)(processors > 0 ? processors : 1);
}

/*
 * Checks whether the step has used up its CPU time, and schedules the next check
 * for when it can have used the rest. The interval is longer if the check itself
 * is expensive because there are many processes.
 */
static void check_limit(struct watch *watch)
{
	uint64_t limit = watch->cpu_limit * NSEC_PER_SEC, now = clock_monotonic_ns(), used, pause;

	if (limit == 0 || watch->usage->limit_reached || now < watch->check_at)
		return;
	used = used_so_far(watch);
	if (used >= limit) {
		watch->usage->limit_reached = true;
		kill(-watch->pid, SIGXCPU);
		kill(-watch->pid, SIGCONT);
		if (watch->kill_at == 0)
			watch->kill_at = now + LIMIT_GRACE;
		return;
	}
	pause = soonest(limit - used);
	if (pause < LIMIT_POLL)
		pause = LIMIT_POLL;
	if (pause < CHECK_SHARE * (clock_monotonic_ns() - now))
		pause = CHECK_SHARE * (clock_monotonic_ns() - now);
	watch->check_at = now + pause;
}

/* Asks a step that takes too long to end; it is killed later if it does not. */
static void check_elapsed(struct watch *watch)
{
	uint64_t now = clock_monotonic_ns();

	if (watch->end_at == 0 || now < watch->end_at)
		return;
	watch->end_at = 0;
	if (watch->kill_at)
		return; /* it is already being ended for another reason */
	watch->usage->elapsed_reached = true;
	job_log_message(&watch->runner->log, SEVERITY_ERROR, 5047,
			"step %s has run longer than the limit of elapsed time, %.2f minutes: it is ended",
			watch->step_name,
			(double)watch->runner->options->elapsed_limit / (60.0 * NSEC_PER_SEC));
	kill(-watch->pid, SIGTERM);
	kill(-watch->pid, SIGCONT);
	watch->kill_at = now + CANCEL_GRACE;
}

/* Returns which limits can end the step. */
static const char *limits(const struct watch *watch)
{
	if (watch->cpu_limit)
		return watch->end_at ? "TIME= and --elapsed limit it" : "TIME= limits it";
	return watch->end_at ? "--elapsed limits it" : "neither TIME= nor --elapsed limits it";
}

/* Logs that the step is still running, at increasing intervals. */
static void remind(struct watch *watch)
{
	uint64_t now = clock_monotonic_ns();

	if (watch->remind_at == 0 || now < watch->remind_at || watch->kill_at)
		return;
	job_log_message(&watch->runner->log, SEVERITY_INFO, 5048,
			"step %s has been running for %.1f minutes and has used %.2f s of CPU time; %s",
			watch->step_name, (double)(now - watch->started) / (60.0 * NSEC_PER_SEC),
			(double)used_so_far(watch) / NSEC_PER_SEC, limits(watch));
	watch->remind_at = watch->started + 2 * (now - watch->started);
}

/*
 * Logs when this program's parent has ended: possibly no one is waiting for the
 * job any more. It runs on to its end, as under nohup(1), cron(8) or in the
 * background of a shell that ended; a lost terminal sends SIGHUP, which cancels
 * the job.
 */
static void check_parent(struct watch *watch)
{
	uint64_t now = clock_monotonic_ns();

	if (watch->parent_check_at == 0 || now < watch->parent_check_at)
		return;
	watch->parent_check_at = now + watch->runner->options->remind_after;
	if (watch->parent_check_at > now + PARENT_POLL)
		watch->parent_check_at = now + PARENT_POLL;
	if (watch->runner->parent == getppid())
		return;
	watch->parent_check_at = 0;
	watch->runner->parent = getppid();
	job_log_message(&watch->runner->log, SEVERITY_INFO, 5049,
			"the process that started this vigil has ended; job %s continues (process "
			"%d), and %s",
			watch->runner->plan->name, (int)getpid(), limits(watch));
}

/* Cancels the job: the first signal asks the step to end; the second one kills it. */
static void cancel(struct watch *watch, int number)
{
	struct runner *runner = watch->runner;
	uint64_t now = clock_monotonic_ns();

	if (runner->cancelled == 0) {
		runner->cancelled = number;
		job_log_message(&runner->log, SEVERITY_ERROR, 5040,
				"job %s is cancelled by signal %s: step %s is ended",
				runner->plan->name, sigabbrev_np(number), watch->step_name);
		kill(-watch->pid, SIGTERM);
		kill(-watch->pid, SIGCONT);
		watch->kill_at = now + CANCEL_GRACE;
	} else {
		watch->kill_at = now;
	}
}

/* Returns the earlier of two times; 0 means none. */
static uint64_t sooner(uint64_t one, uint64_t other)
{
	return !one || (other && other < one) ? other : one;
}

/* Returns how many ms to wait for an event; -1: no limit. */
static int next_timeout(const struct watch *watch)
{
	uint64_t now = clock_monotonic_ns(), at = watch->kill_at, wait;

	if (at == 0 && watch->cpu_limit)
		at = watch->check_at;
	at = sooner(at, watch->end_at);
	at = sooner(at, watch->remind_at);
	at = sooner(at, watch->parent_check_at);
	if (at == 0)
		return -1;
	wait = at <= now ? 0 : (at - now) / NSEC_PER_MSEC + 1;
	return wait < INT_MAX ? (int)wait : INT_MAX;
}

/* Waits for the step's process. */
static void wait_process(struct watch *watch, const struct supervise_service *service)
{
	struct pollfd wanted[2] = { { .fd = watch->pidfd, .events = POLLIN },
				    { .fd = watch->runner->signals, .events = POLLIN } };
	struct rusage used;
	siginfo_t info = { 0 };
	bool killed = false, ended = false;

	for (;;) {
		int timeout, number;

		check_limit(watch);
		check_elapsed(watch);
		remind(watch);
		check_parent(watch);
		timeout = next_timeout(watch);
		if (service) {
			service->serve(service->argument, SERVICE_MS);
			timeout = 0;
		} else if (watch->pidfd < 0 && (timeout < 0 || timeout > SERVICE_MS)) {
			timeout = SERVICE_MS; /* the kernel has no pidfd */
		}
		poll(wanted, 2, killed && timeout >= 0 ? SERVICE_MS : timeout);
		while ((number = take_signal(watch->runner)))
			cancel(watch, number);
		if (watch->kill_at && clock_monotonic_ns() >= watch->kill_at) {
			kill(-watch->pid, SIGKILL);
			killed = true;
		}
		/*
		 * A measured process is served once more before it is reaped, also one that
		 * ends just now.
		 */
		if (service && !ended &&
		    waitid(P_PID, (id_t)watch->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
			ended = info.si_pid != 0;
			continue;
		}
		/* A task that is held for a data collector reports that it is stopped. */
		if (wait4(watch->pid, &watch->usage->status, WNOHANG, &used) == watch->pid &&
		    !WIFSTOPPED(watch->usage->status))
			break;
	}
	add_usage(watch->usage, &used);
}

/* Calls visit for each child of this process that belongs to the job; returns their number. */
static unsigned each_child(struct runner *runner,
			   void (*visit)(void *argument, pid_t pid, const char *name),
			   void *argument)
{
	struct processes processes;
	unsigned count = 0;

	processes_read(&processes);
	for (size_t i = 0; i < processes.count; i++) {
		const struct process *process = &processes.items[i];

		if (process->parent != getpid() || process->pid == runner->guard_pid ||
		    is_foreign(runner, process->pid))
			continue;
		count++;
		visit(argument, process->pid, process->name);
	}
	processes_release(&processes);
	return count;
}

/* Records a child that existed before the job. */
static void add_foreign(void *argument, pid_t pid, const char *name UNUSED)
{
	struct runner *runner = argument;
	pid_t *more = xreallocarray(runner->preexisting, runner->foreign_count + 1, sizeof(*more));

	more[runner->foreign_count] = pid;
	runner->preexisting = more;
	runner->foreign_count++;
}

/* Records the children that this process had before the job (a shell that did exec has some). */
static void find_foreign(struct runner *runner)
{
	siginfo_t info;

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0)
		each_child(runner, add_foreign, runner);
}

int supervise_begin(struct runner *runner, struct error *err)
{
	sigset_t set;

	cancel_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	runner->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	RETURN_IF(runner->signals < 0, error_errno(err, "cannot wait for signals"));
	find_foreign(runner);
	runner->parent = getppid();
	/* Orphans become children of vigil, not of init. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return 0;
}

void supervise_end(struct runner *runner)
{
	sigset_t set;

	/* Discards repeated cancel signals: they must not kill vigil while it ends. */
	while (runner->cancelled && take_signal(runner))
		;
	if (runner->signals >= 0)
		close(runner->signals);
	runner->signals = -1;
	free(runner->preexisting);
	runner->preexisting = NULL;
	runner->foreign_count = 0;
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	cancel_signals(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Arguments for ending the processes that a step left behind. */
struct ending {
	struct watch *watch;
	int number;
	bool log_each; /* set in the first round: each is named in the log */
};

static void end_child(void *argument, pid_t pid, const char *name)
{
	struct ending *ending = argument;
	struct watch *watch = ending->watch;

	if (ending->log_each) {
		watch->usage->left++;
		job_log_message(&watch->runner->log, SEVERITY_WARNING, 5041,
				"step %s left process %d (%s) behind: it is ended",
				watch->step_name, (int)pid, name);
	}
	kill(pid, ending->number);
}

static void ignore_child(void *argument UNUSED, pid_t pid UNUSED, const char *name UNUSED)
{
}

/* Reaps children that have ended; returns whether the step has others. */
static bool reap(struct watch *watch)
{
	struct rusage used;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &used)) > 0)
		if (!WIFSTOPPED(status) && !is_foreign(watch->runner, pid))
			add_usage(watch->usage, &used);
	if (pid == 0 && (watch->runner->foreign_count > 0 || watch->runner->service))
		return each_child(watch->runner, ignore_child, NULL) > 0;
	return pid == 0;
}

/* Ends the processes that the step left behind: its orphans are children of this process now. */
static void end_left_processes(struct watch *watch)
{
	uint64_t start = clock_monotonic_ns();
	struct ending ending = { watch, SIGTERM, true };

	while (reap(watch)) {
		uint64_t now = clock_monotonic_ns();
		bool hard;

		/* A repeated cancel ends the grace time. */
		if (watch->kill_at > now && take_signal(watch->runner))
			watch->kill_at = now;
		hard = now >= (watch->kill_at ? watch->kill_at : start + LEFT_GRACE);

		if (now - start >= LEFT_GIVE_UP) {
			job_log_message(
				&watch->runner->log, SEVERITY_WARNING, 5044,
				"cannot end the processes that step %s left behind; they are left alone",
				watch->step_name);
			return;
		}
		if (hard)
			ending.number = SIGKILL;
		if (ending.log_each || hard)
			each_child(watch->runner, end_child, &ending);
		ending.log_each = false;
		poll(NULL, 0, LEFT_POLL_MS);
	}
}

void supervise_step(struct runner *runner, pid_t pid, const char *step_name, uint64_t cpu_limit,
		    const struct supervise_service *service, struct step_usage *usage)
{
	struct watch watch = { .runner = runner,
			       .step_name = step_name,
			       .pid = pid,
			       .cpu_limit = cpu_limit,
			       .check_at = clock_monotonic_ns() + soonest(cpu_limit * NSEC_PER_SEC),
			       .started = clock_monotonic_ns(),
			       .usage = usage };

	if (runner->options->elapsed_limit)
		watch.end_at = watch.started + runner->options->elapsed_limit;
	if (runner->options->remind_after) {
		watch.remind_at = watch.started + runner->options->remind_after;
		watch.parent_check_at = watch.started + 1;
	}
	*usage = (struct step_usage){ 0 };
	runner->service = service;
	watch.pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	wait_process(&watch, service);
	if (watch.pidfd >= 0)
		close(watch.pidfd);
	end_left_processes(&watch);
	runner->service = NULL;
}
