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

#define HOLDS_STUCK 16
#define HOLDS_STACK 8192
#define HOLDS_RECENT 256

enum hold_result {
	HOLD_DONE,    /* it stands still; the input has its registers */
	HOLD_MISSED,  /* it does not execute any more, or did not stop in time */
	HOLD_REFUSED, /* not permitted, or another traces it */
};

/* The holds of a session. */
struct holds {
	bool refused, noted;		  /* once at least */
	unsigned char stack[HOLDS_STACK]; /* of the task held now */
	int signal;			  /* to be delivered to the task held now; 0 none */
	pid_t pid;			  /* of the task held now */
	struct stuck {
		pid_t pid, tid;
		uint64_t since; /* it did not stand still then, monotonic ns */
	} stuck[HOLDS_STUCK];	/* tasks to be let go as soon as they stop, or buried */
	size_t stuck_count;
	uint64_t began; /* of the hold going on, monotonic ns */
	uint64_t spent; /* ns that tasks were held */
	/* The last holds, in a ring: the kernel's records of them come later. */
	struct held {
		pid_t tid;
		uint64_t from, until;
	} recent[HOLDS_RECENT];
	size_t held_count; /* of all holds */
};

/* Stop a thread and fill in the registers and the stack of input. */
enum hold_result hold_begin(struct holds *holds, pid_t pid, pid_t tid, struct unwind_input *input);
/* Let it go on as if nothing had been; when it was killed meanwhile hold_look buries it. */
void hold_end(struct holds *holds, pid_t tid);
/* Whether a thread was held at a time. */
bool hold_covers(const struct holds *holds, pid_t tid, uint64_t time);
/* Let go of tasks that did not stop in time; take the ends of those that ended in vigil's hands,
   for which others wait. */
void hold_look(struct holds *holds);
/* The watching is over: none may stay behind. */
void hold_finish(struct holds *holds);

#endif
