/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locates records that the kernel dropped for lack of space, and estimates what
 * they contained.
 *
 * The kernel writes a record into the ring of the processor on which it occurs,
 * and reports the number dropped with the next record that fits. So the dropped
 * ones are on that processor between the two. What a task did there from the first
 * one on is unknown: the task is removed from the processor where it was last
 * seen; as a processor executes one task at a time, seeing another task on it has
 * the same meaning.
 *
 * How much CPU time is missing follows from the events themselves: they count it
 * for all tasks together, even if they cannot record it. Samples are made for it,
 * at the places of the samples before and after, in proportion to the records
 * dropped between them. They are SAMPLE_RESIDUE and counted as lost, so that
 * margins of error consider that they contain no new information: several copies
 * of one sample are less certain than copies of different ones, so squares are
 * kept. Samples at the same place on one side of a gap may be from one stay there,
 * and count as one.
 */
#ifndef VIGIL_SAMPLER_LOSSES_H
#define VIGIL_SAMPLER_LOSSES_H

#include "records/record-types.h"
#include "sampler/states.h"

struct sample_ledger;

/* Maximum number of recent samples kept for one processor, and of places for lost ones. */
#define LOSS_NEIGHBOURS 8
#define LOSS_LIKES 512

/* A sample next to a gap. */
struct lost_like {
	struct task *task; /* NULL: none */
	struct record_sample row;
	double weight; /* number of records that it stands for */
	uint64_t side; /* number of the side of a gap on which it is */
	uint64_t made; /* number of samples made like it */
};

struct loss_processor {
	struct task *task; /* task that executes on it; NULL: unknown */
	uint64_t last;	   /* active clock at the last record */
	struct lost_like recent[LOSS_NEIGHBOURS];
	unsigned next;
	unsigned after; /* number of later samples that are still next to the last gap */
	double weight;	/* weight of each of them */
	uint64_t side;	/* number of the later side of the last gap */
};

/* The parts it uses; all borrowed. */
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
	uint64_t gaps;	/* ns in gaps */
	uint64_t made;	/* ns of it for which samples were made */
	double squares; /* sum of squares of what was made like one place next to a gap, square
			 * microseconds */
};

void losses_init(struct losses *losses, const struct losses_parts *parts);
void losses_release(struct losses *losses);
/* Processors are numbered from 1; 0, not known, is always allowed and changes nothing. */

/*
 * A record of a processor is about to be applied: the task executes on it (in), or
 * no longer does. The clock has been advanced to it.
 */
void losses_executes(struct losses *losses, unsigned processor, struct task *task, bool in);
/* Notes that this many records of a processor were dropped up to now. */
void losses_dropped(struct losses *losses, unsigned processor, uint64_t records);
/*
 * The ring of a processor was full: the task last seen on it may have left it.
 * Dropped records are reported only with the next record, and there is none while
 * the processor does something else.
 */
void losses_doubt(struct losses *losses, unsigned processor);
/* A sample of a processor has become the newest row of the ledger. */
void losses_sampled(struct losses *losses, unsigned processor, struct task *task);
/* A record of a processor, of any kind, was applied. */
void losses_seen(struct losses *losses, unsigned processor);
/* The task has ended. */
void losses_forget(struct losses *losses, const struct task *task);
/*
 * All tasks are accounted for at the clock's time, which lags behind by lag ns:
 * makes samples for the difference between counted, the events' ns of CPU time,
 * and that known of tasks. Tasks that have ended may be freed after this.
 */
void losses_fill(struct losses *losses, uint64_t counted, uint64_t lag);

#endif
