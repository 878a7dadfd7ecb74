/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stops one task for a moment, as a debugger would, so that what is read of it is
 * consistent (VIGIL_HOLD); if vigil ends for any reason, the kernel releases the
 * task. Only a task that executes is stopped: stopping one that waits could
 * interrupt its system call.
 *
 * A task that does not stop in time is stuck: task_stop_look releases it as soon
 * as it stops. There is one stop at a time: no other call may come between a
 * task_stop_begin that returned TASK_STOP_DONE and its task_stop_end.
 *
 * The kernel notifies the parent of a stopped process of the stop: code of vigil
 * that waits for a child must check that the child has really ended.
 *
 * A struct task_stops that is all zero is valid: nothing was stopped yet.
 */
#ifndef VIGIL_SAMPLER_TASK_STOP_H
#define VIGIL_SAMPLER_TASK_STOP_H

#include "program/unwind/unwind.h"

#define TASK_STOPS_STUCK 16
#define TASK_STOPS_STACK 8192
#define TASK_STOPS_RECENT 256

enum task_stop_result {
	TASK_STOP_DONE,	   /* the task is stopped; input has its registers */
	TASK_STOP_MISSED,  /* it no longer executes, or did not stop in time */
	TASK_STOP_REFUSED, /* not permitted, or another process traces it */
};

/* The stops of a session. */
struct task_stops {
	bool refused, noted;		       /* at least one stop was refused; that was
					        * reported */
	unsigned char stack[TASK_STOPS_STACK]; /* stack of the task that is stopped now */
	int signal;			       /* signal to deliver to that task; 0: none */
	pid_t pid;			       /* process of that task */
	struct stuck {
		pid_t pid, tid;
		uint64_t since;	   /* monotonic ns at which it was still not stopped */
	} stuck[TASK_STOPS_STUCK]; /* tasks to release as soon as they stop, or to reap */
	size_t stuck_count;
	uint64_t began; /* monotonic ns at which the stop in progress began */
	uint64_t spent; /* ns for which tasks were stopped */
	/* The last stops, in a ring: the kernel's records of them are read later. */
	struct past_stop {
		pid_t tid;
		uint64_t from, until;
	} recent[TASK_STOPS_RECENT];
	size_t past_count; /* number of stops so far */
};

/*
 * Stops a thread and fills in the registers and the stack of input; the stack is
 * borrowed until the next stop.
 */
enum task_stop_result task_stop_begin(struct task_stops *stops, pid_t pid, pid_t tid,
				      struct unwind_input *input);
/*
 * Lets the thread continue as if nothing had happened. If it was killed meanwhile,
 * task_stop_look reaps it.
 */
void task_stop_end(struct task_stops *stops, pid_t tid);
/*
 * Returns whether a thread was stopped at a monotonic time; covers the last
 * TASK_STOPS_RECENT stops.
 */
bool task_stop_covers(const struct task_stops *stops, pid_t tid, uint64_t time);
/*
 * Releases tasks that did not stop in time; reaps those that died while vigil
 * traced them, so that their parents can wait for them.
 */
void task_stop_look(struct task_stops *stops);
/* Ends the session's stops: waits until stuck tasks have been released, some seconds at most. */
void task_stop_finish(struct task_stops *stops);

#endif
