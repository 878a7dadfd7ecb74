/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stops one task for a moment, so that what is read of it belongs together
 * (VIGIL_HOLD), as a debugger would: the kernel lets it go by itself when vigil
 * ends, whatever happens. Only a task that executes is stopped, as a system
 * call that another waits in could be interrupted.
 *
 * A task that is told to stop and does not do so in time is stuck: it is let go
 * by task_stop_look as soon as it stops. No call may come between a
 * task_stop_begin that returned TASK_STOP_DONE and its task_stop_end, as there
 * is one stop at a time.
 *
 * The kernel tells the parent of a stopped process of the stop: code of vigil
 * that waits for a child must check that the child has ended at all.
 *
 * A struct task_stops that is all zero has stopped nothing yet.
 */
#ifndef VIGIL_SAMPLER_TASK_STOP_H
#define VIGIL_SAMPLER_TASK_STOP_H

#include "program/unwind/unwind.h"

#define TASK_STOPS_STUCK 16
#define TASK_STOPS_STACK 8192
#define TASK_STOPS_RECENT 256

enum task_stop_result {
	TASK_STOP_DONE,	   /* the task stands still; the input has its registers */
	TASK_STOP_MISSED,  /* it no longer executes, or did not stop in time */
	TASK_STOP_REFUSED, /* not permitted, or another process traces it */
};

/* The stops of a session. */
struct task_stops {
	bool refused, noted;		       /* once at least */
	unsigned char stack[TASK_STOPS_STACK]; /* of the task that stands still now */
	int signal;			       /* to be delivered to that task; 0 none */
	pid_t pid;			       /* of that task */
	struct stuck {
		pid_t pid, tid;
		uint64_t since;	   /* it did not stand still then, monotonic ns */
	} stuck[TASK_STOPS_STUCK]; /* tasks to be let go as soon as they stop, or buried */
	size_t stuck_count;
	uint64_t began; /* of the stop going on, monotonic ns */
	uint64_t spent; /* ns that tasks stood still */
	/* The last stops, in a ring: the kernel's records of them come later. */
	struct past_stop {
		pid_t tid;
		uint64_t from, until;
	} recent[TASK_STOPS_RECENT];
	size_t past_count; /* of all stops */
};

/* Stop a thread and fill in the registers and the stack of input; the stack is borrowed until the
   next stop. */
enum task_stop_result task_stop_begin(struct task_stops *stops, pid_t pid, pid_t tid,
				      struct unwind_input *input);
/* Let it go on as if nothing had happened. When it was killed meanwhile, task_stop_look buries it.
 */
void task_stop_end(struct task_stops *stops, pid_t tid);
/* Whether a thread stood still at a monotonic time; the last TASK_STOPS_RECENT stops are known. */
bool task_stop_covers(const struct task_stops *stops, pid_t tid, uint64_t time);
/* Let go of tasks that did not stop in time; take the ends of those that died while vigil traced
   them, for which others wait. */
void task_stop_look(struct task_stops *stops);
/* The session ends: no task may stay stopped. Waits for stuck ones, some seconds at most. */
void task_stop_finish(struct task_stops *stops);

#endif
