/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Separates run-queue time from waits. A wait's length, from switch records, ends
 * when the task executes again, not when the awaited event happens: in between the
 * task is ready and has no processor. The kernel sums this delay for each task
 * (schedstat), together with the time after preemptions, which the records show
 * too. The rest is subtracted from the task's waits, in proportion to the number
 * of times it was woken, and shown as WAIT_DISPATCH at the same places.
 *
 * A snapshot may have split a wait and already shown its beginning, so that less
 * of it is left than it was delayed: the rest is owed, and subtracted from the
 * task's next waits at the same place.
 *
 * The delay of each single wait is not known, so a place has a variance if the
 * task has other places: that of as many delays as it has waits, estimated from
 * the sums of earlier intervals. The last waits of a task that ends and is gone at
 * once get the delays of those before.
 */
#ifndef VIGIL_SAMPLER_WAIT_DELAY_H
#define VIGIL_SAMPLER_WAIT_DELAY_H

#include "sampler/wait-tally.h"

struct task;
struct waits;

#define WAIT_DEBTS 8

/* ns that were shown as waited at a place although the task was ready. */
struct wait_debt {
	struct wait_site site;
	uint64_t ns;
};

/* State of one task; private to wait-delay.c except for waits, which waits.c counts. */
struct task_delay {
	bool known;	     /* the kernel's sum covers this task since base */
	uint64_t base;	     /* part of the kernel's sum, ns, from before the session or from its
			      * pauses */
	uint64_t executed;   /* ns that the task had executed before the session */
	uint64_t paused;     /* ns that the session had paused by then */
	uint64_t preempted;  /* ns ready after preemptions that are over */
	uint64_t ready;	     /* ns of the one in progress; the kernel's sum gets them at its end */
	uint64_t waits;	     /* waits.c: waits that have ended */
	uint64_t accounted;	     /* ns subtracted from its waits, or owed */
	uint64_t waits_accounted; /* waits at that time */
	/*
	 * Intervals so far: their number, the sums of their delays and waits, and the sum
	 * of delay^2 / waits.
	 */
	double intervals, sum, count, squares;
	double total; /* ns of these waits */
	struct wait_debt debts[WAIT_DEBTS];
	struct wait_debt split_wait; /* what the last snapshot showed of the wait in progress */
	uint64_t at_end;      /* the kernel's sum after the task had ended; 0: not known */
	bool read;	      /* sum_read was read while the task waited */
	uint64_t sum_read;    /* the kernel's sum as last read, and the number of switches at
			       * that time */
	uint64_t read_at;
};

/*
 * Begins a task that starts now, or that was found running (present): what the
 * kernel has summed so far does not count.
 */
void wait_delay_begin(struct task *task, bool present);
/* The task was ready for ns after a preemption, which is over, or goes on. */
void wait_delay_ready(struct task *task, uint64_t ns, bool over);
/*
 * The task has ended; until its parent has waited for it the kernel still provides
 * its sum. Call before its state is ENDED.
 */
void wait_delay_end(struct task *task);
/*
 * A snapshot ends, and the task's waits are in its tallies: subtracts the delays.
 * Returns the ns moved from charged waits to run-queue time.
 */
uint64_t wait_delay_take(struct waits *waits, struct task *task);

#endif
