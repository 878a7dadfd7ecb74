/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ready is not waiting. A wait's length, from switch records, ends when the
 * task executes again, not when what it waited for has come: in between it is
 * ready and has no processor. The kernel adds this up for each task
 * (schedstat), together with the time after it was driven off a processor,
 * which the records tell too. What is left is taken out of its waits, in
 * proportion to how often they were over, and shown as WAIT_DISPATCH at the same places.
 *
 * A snapshot may have cut a wait off and shown its beginning already, so that less of it is left
 * than it was delayed: the rest is owed, and taken out of what the task waits at the same place
 * next.
 *
 * How long each single wait was delayed is not known, so a place has a
 * variance where the task has others: that of as many delays as it has waits,
 * which the sums of earlier intervals tell. A task that ends and is gone at
 * once has the delays of its last waits from those before.
 */
#ifndef VIGIL_SAMPLER_WAIT_DELAY_H
#define VIGIL_SAMPLER_WAIT_DELAY_H

#include "sampler/wait-tally.h"

struct task;
struct waits;

#define WAIT_DEBTS 8

/* ns that were shown as waited at a place, and in which the task was ready. */
struct wait_debt {
	struct wait_site site;
	uint64_t ns;
};

/* What is kept of each task; this part's alone, but for the two that waits.c counts. */
struct task_delay {
	bool known;	     /* the kernel's sum is that of this task since base */
	uint64_t base;	     /* ns of it that lie before the session, or in its pauses */
	uint64_t paused;     /* how long the session had paused by then */
	uint64_t preempted;  /* waits.c: ns that it was ready after it was driven off */
	uint64_t waits;	     /* waits.c: waits that have ended */
	uint64_t told;	     /* ns taken out of its waits, and owed */
	uint64_t waits_told; /* waits by then */
	/* Of the intervals so far: how many, their delays and waits, and the sum of delay^2 /
	 * waits. */
	double intervals, sum, count, squares;
	double total; /* ns that these waits came to */
	struct wait_debt debts[WAIT_DEBTS];
	struct wait_debt cut; /* what the last snapshot showed of the wait that was going on */
	uint64_t at_end;      /* the kernel's sum when the task had ended; 0: not known */
	bool read;	      /* sum_read was read while the task waited */
	uint64_t sum_read;    /* what the kernel said last, and after how many switches */
	uint64_t read_at;
};

/* The task begins, or is met (present): what the kernel has added up so far counts for nothing. */
void wait_delay_begin(struct task *task, bool present);
/* The task has ended; as long as nobody has asked for its end, the kernel still tells its sum.
 * Before its state is ENDED. */
void wait_delay_end(struct task *task);
/* A snapshot ends, and the task's waits are in its tallies. Returns the ns by which less was
   charged to waits, and more to being ready. */
uint64_t wait_delay_take(struct waits *waits, struct task *task);

#endif
