/* SPDX-License-Identifier: Apache-2.0 */
/* Stops a task for a moment. */
#include "common/compat.h"
#include "sampler/task-stop.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "program/unwind/arch.h"
#include "sampler/probe.h"

#include <assert.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* Maximum time for a task to stop. */
#define STOP_TIME (5 * NSEC_PER_MSEC)
/* Maximum time, at the end of the session, for a task that was asked to stop. */
#define FINISH_TIME (10 * NSEC_PER_SEC)

enum stop {
	STOP_NONE,   /* it has not stopped yet */
	STOP_STANDS, /* it is stopped */
	STOP_GONE,   /* it has ended, or no longer exists */
};

/* Returns whether a process is a child of this one, so that its end must be left to other code. */
static bool is_own_child(pid_t pid)
{
	return procfs_number(pid, "PPid:") == outside_own();
}

/* Reaps a thread that has ended while it was traced. */
static enum stop bury(pid_t pid, pid_t tid)
{
	siginfo_t info = { 0 };

	/* The end of a child of vigil is left to the code that waits for it. */
	RETURN_IF(tid == pid && is_own_child(pid), STOP_GONE);
	RETURN_IF(outside_wait_task(tid, &info, WEXITED) < 0, STOP_GONE);
	/* The first thread of a process remains until the others have ended. */
	return info.si_pid ? STOP_GONE : STOP_NONE;
}

/*
 * Returns the signal whose delivery a stopped thread is about to get; 0: it is
 * stopped for another reason.
 */
static int signal_of(pid_t tid)
{
	siginfo_t info;

	RETURN_IF(outside_trace(PTRACE_GETSIGINFO, tid, 0, &info) < 0, 0);
	return info.si_code >> 8 == PTRACE_EVENT_STOP ? 0 : info.si_signo;
}

/*
 * Checks whether a thread has stopped; *number: the signal that it is about to
 * get. The parent may have consumed the notification of the stop first, so its
 * state counts, not the result of waitid.
 */
static enum stop look_for_stop(pid_t pid, pid_t tid, int *number)
{
	siginfo_t info;
	bool known = outside_wait_task(tid, &info, WSTOPPED) == 0;
	char state = procfs_state(pid, tid);

	*number = 0;
	/* Waiting for stops only does not report a thread that has ended. */
	RETURN_IF(state == 0 || state == 'Z' || state == 'X', bury(pid, tid));
	RETURN_IF(!known, STOP_GONE);
	RETURN_IF(state != 't', STOP_NONE);
	*number = signal_of(tid);
	return STOP_STANDS;
}

/* Waits a little until the thread stops. */
static enum stop await_stop(pid_t pid, pid_t tid, int *number)
{
	uint64_t until = clock_monotonic_ns() + STOP_TIME;
	enum stop stop;

	for (unsigned tries = 0;; tries++) {
		stop = look_for_stop(pid, tid, number);
		if (stop != STOP_NONE || clock_monotonic_ns() >= until)
			return stop;
		outside_sleep(tries < 16 ? 0 : 20 * NSEC_PER_USEC);
	}
}

/* Releases a stopped thread; returns false if it was killed meanwhile and must be reaped. */
static bool let_go(pid_t tid, int number)
{
	return outside_trace(PTRACE_DETACH, tid, 0, (void *)(intptr_t)number) == 0;
}

/* Returns whether a thread that was asked to stop has not been released yet. */
static bool is_stuck(const struct task_stops *stops, pid_t tid)
{
	for (size_t i = 0; i < stops->stuck_count; i++)
		if (stops->stuck[i].tid == tid)
			return true;
	return false;
}

/* Records that a thread was stopped from a time until now. */
static void add_past(struct task_stops *stops, pid_t tid, uint64_t from)
{
	struct past_stop *past = &stops->recent[stops->past_count++ % TASK_STOPS_RECENT];

	*past = (struct past_stop){ tid, from, clock_monotonic_ns() };
	stops->spent += past->until - past->from;
}

/* Notes a thread for later looks; task_stop_begin ensures that there is space. */
static void add_stuck(struct task_stops *stops, pid_t pid, pid_t tid)
{
	assert(stops->stuck_count < TASK_STOPS_STUCK);
	stops->stuck[stops->stuck_count++] = (struct stuck){ pid, tid, clock_monotonic_ns() };
}

/*
 * Returns whether a thread is gone because it has called exec and is now the first
 * thread of its process.
 */
static bool is_renamed(pid_t pid, pid_t tid)
{
	return tid != pid && procfs_number(pid, "TracerPid:") == outside_own();
}

enum task_stop_result task_stop_begin(struct task_stops *stops, pid_t pid, pid_t tid,
				      struct unwind_input *input)
{
	stops->began = clock_monotonic_ns();
	/* A task that waits in the kernel is not woken up. */
	RETURN_IF(procfs_state(pid, tid) != 'R' || stops->stuck_count == TASK_STOPS_STUCK ||
			  is_stuck(stops, tid),
		  TASK_STOP_MISSED);
	if (outside_trace(PTRACE_SEIZE, tid, 0, NULL) < 0) {
		RETURN_IF(errno == ESRCH, TASK_STOP_MISSED);
		stops->refused = true;
		return TASK_STOP_REFUSED;
	}
	stops->pid = pid;
	outside_trace(PTRACE_INTERRUPT, tid, 0, NULL);
	switch (await_stop(pid, tid, &stops->signal)) {
	case STOP_NONE:
		add_stuck(stops, pid, tid);
		return TASK_STOP_MISSED;
	case STOP_GONE:
		if (is_renamed(pid, tid))
			add_stuck(stops, pid, pid);
		return TASK_STOP_MISSED;
	case STOP_STANDS:
		break;
	}
	if (!arch_stopped_registers(tid, input)) {
		task_stop_end(stops, tid);
		return TASK_STOP_MISSED;
	}
	input->stack = stops->stack;
	input->stack_start = input->registers[ARCH_STACK_POINTER];
	input->stack_size =
		probe_memory(tid, input->stack_start, stops->stack, sizeof(stops->stack));
	return TASK_STOP_DONE;
}

void task_stop_end(struct task_stops *stops, pid_t tid)
{
	if (!let_go(tid, stops->signal))
		add_stuck(stops, stops->pid, tid);
	stops->signal = 0;
	add_past(stops, tid, stops->began);
}

bool task_stop_covers(const struct task_stops *stops, pid_t tid, uint64_t time)
{
	for (size_t i = 0; i < TASK_STOPS_RECENT && i < stops->past_count; i++) {
		const struct past_stop *past = &stops->recent[i];

		if (past->tid == tid && time >= past->from && time <= past->until)
			return true;
	}
	return false;
}

/* Looks at a stuck thread again; returns whether it is done. */
static bool look_again(struct task_stops *stops, struct stuck *stuck)
{
	uint64_t now = clock_monotonic_ns();
	int number;

	switch (look_for_stop(stuck->pid, stuck->tid, &number)) {
	case STOP_STANDS:
		RETURN_IF(!let_go(stuck->tid, number), false);
		add_past(stops, stuck->tid, stuck->since);
		return true;
	case STOP_GONE:
		RETURN_IF(!is_renamed(stuck->pid, stuck->tid), true);
		stuck->tid = stuck->pid;
		return false;
	default:
		stuck->since = now;
		return false;
	}
}

void task_stop_look(struct task_stops *stops)
{
	for (size_t i = stops->stuck_count; i-- > 0;)
		if (look_again(stops, &stops->stuck[i]))
			stops->stuck[i] = stops->stuck[--stops->stuck_count];
}

void task_stop_finish(struct task_stops *stops)
{
	uint64_t until = clock_monotonic_ns() + FINISH_TIME;

	for (task_stop_look(stops); stops->stuck_count && clock_monotonic_ns() < until;
	     task_stop_look(stops))
		outside_sleep(NSEC_PER_MSEC);
}
