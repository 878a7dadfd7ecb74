/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records that the kernel dropped for want of room: where, and what they mean.
 *
 * The kernel writes a record into the ring of the processor it happened on, and
 * tells with the next one that has room how many were dropped before. So they
 * lie on that processor between the two. What a task did there from the first
 * on is not known: it is taken off the processor where it was seen last, and a
 * processor executes one task at a time, so that another one seen on it says
 * the same.
 *
 * How much CPU time is missing then, the events themselves tell: they count it
 * for all tasks together, also where they cannot write it down. Samples are
 * made for it, at the places of those before and after, in proportion to the
 * records that were dropped between. They are SAMPLE_RESIDUE and counted as
 * lost, so that margins of error know that they tell nothing new: many that are
 * like one are less sure than as many that are each like another one, so
 * squares are kept. What stands at the same place on one side of a gap may have been
 * one stay there, and counts as one.
 */
#ifndef VIGIL_SAMPLER_LOSSES_H
#define VIGIL_SAMPLER_LOSSES_H

#include "records/record-types.h"
#include "sampler/states.h"

struct sample_ledger;

/* Samples of one processor that are kept, and places of lost ones, at most. */
#define LOSS_NEIGHBOURS 8
#define LOSS_LIKES 512

/* A sample beside a gap. */
struct lost_like {
	struct task *task; /* NULL: none */
	struct record_sample row;
	double weight; /* records that it stands for */
	uint64_t side; /* number of the side of a gap that it stands on */
	uint64_t made; /* samples like it */
};

struct loss_processor {
	struct task *task; /* executes on it, NULL: nobody knows */
	uint64_t last;	   /* active clock of the last record */
	struct lost_like recent[LOSS_NEIGHBOURS];
	unsigned next;
	unsigned after; /* so many samples still to come are beside the last gap */
	double weight;	/* of each of them */
	uint64_t side;	/* number of the later side of the last gap */
};

/* What it works on; all borrowed. */
struct losses_parts {
	const struct step_clock *clock;
	struct tasks *tasks;
	struct sample_ledger *ledger;
	struct states *states;
};

struct losses {
	struct losses_parts parts;
	struct loss_processor *processors;
	size_t processor_count;
	struct lost_like likes[LOSS_LIKES];
	size_t like_count;
	uint64_t side_count;
	uint64_t gaps;	/* ns that lie in gaps */
	uint64_t made;	/* ns of it that samples were made for */
	double squares; /* the sum of squares of what was made like one place beside a gap, square
			   microseconds */
};

void losses_init(struct losses *losses, const struct losses_parts *parts);
void losses_release(struct losses *losses);
/* The number of a processor is 1 and more; 0, not known, is always allowed and changes nothing. */

/* A record of a processor is about to be applied: the task executes on it (in), or does no longer.
   The clock has been advanced to it. */
void losses_executes(struct losses *losses, unsigned processor, struct task *task, bool in);
/* So many records of a processor were dropped up to now. */
void losses_dropped(struct losses *losses, unsigned processor, uint64_t records);
/* The ring of a processor was full: the task that was seen on it last may have left it. That
   records were dropped is told by the next one only, and none comes while the processor does
   something else. */
void losses_doubt(struct losses *losses, unsigned processor);
/* A sample of a processor has become the newest row of the ledger. */
void losses_sampled(struct losses *losses, unsigned processor, struct task *task);
/* Any record of a processor was applied. */
void losses_seen(struct losses *losses, unsigned processor);
/* The task has ended. */
void losses_forget(struct losses *losses, const struct task *task);
/* All tasks are settled at the clock's time, which lags behind by lag ns: make samples for what was
   counted as CPU time by the events (ns) and is known of no task. Tasks that have ended may be
   freed after this. */
void losses_fill(struct losses *losses, uint64_t counted, uint64_t lag);

#endif
