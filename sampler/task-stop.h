/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds one task for a moment, so that what is read of it belongs together
 * (VIGIL_HOLD), as a debugger would: the kernel lets go of it by itself when
 * vigil ends, whatever happens. Only a task that is executing is held, as one
 * that waits in the kernel could have its call interrupted.
 *
 * A process that waits for a child which is held may be told of the stop:
 * whoever does that in vigil must look whether the child has ended at all.
 */
#ifndef VIGIL_SAMPLER_TASK_STOP_H
#define VIGIL_SAMPLER_TASK_STOP_H

#include "program/unwind/unwind.h"

#define TASK_STOPS_STUCK 16
#define TASK_STOPS_STACK 8192
#define TASK_STOPS_RECENT 256

enum task_stop_result {
	TASK_STOP_DONE,	   /* it stands still; the input has its registers */
	TASK_STOP_MISSED,  /* it does not execute any more, or did not stop in time */
	TASK_STOP_REFUSED, /* not permitted, or another traces it */
};

/* The stops of a session. */
struct task_stops {
	bool refused, noted;		  /* once at least */
	unsigned char stack[TASK_STOPS_STACK]; /* of the task held now */
	int signal;			  /* to be delivered to the task held now; 0 none */
	pid_t pid;			  /* of the task held now */
	struct stuck {
		pid_t pid, tid;
		uint64_t since; /* it did not stand still then, monotonic ns */
	} stuck[TASK_STOPS_STUCK]; /* tasks to be let go as soon as they stop, or buried */
	size_t stuck_count;
	uint64_t began; /* of the hold going on, monotonic ns */
	uint64_t spent; /* ns that tasks were held */
	/* The last stops, in a ring: the kernel's records of them come later. */
	struct held {
		pid_t tid;
		uint64_t from, until;
	} recent[TASK_STOPS_RECENT];
	size_t held_count; /* of all stops */
};

/* Stop a thread and fill in the registers and the stack of input. */
enum task_stop_result task_stop_begin(struct task_stops *stops, pid_t pid, pid_t tid,
				      struct unwind_input *input);
/* Let it go on as if nothing had been; when it was killed meanwhile task_stop_look buries it. */
void task_stop_end(struct task_stops *stops, pid_t tid);
/* Whether a thread was held at a time. */
bool task_stop_covers(const struct task_stops *stops, pid_t tid, uint64_t time);
/* Let go of tasks that did not stop in time; take the ends of those that ended in vigil's hands,
   for which others wait. */
void task_stop_look(struct task_stops *stops);
/* The watching is over: none may stay behind. */
void task_stop_finish(struct task_stops *stops);

#endif
