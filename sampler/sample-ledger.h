/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The account of samples: their number, what each stands for, and the rows that no
 * snapshot has taken yet.
 *
 * A sample stands for one period of its task's CPU time, however it was made: only
 * this part defines the weight of a sample. The period belongs to the ledger and
 * is changed only by thin.c, together with the existing samples. Each sample taken
 * is either processed (it has a row) or thinned (it had none, or lost it), and
 * each processed one has a stack that is whole, broken or truncated; both are asserted
 * at each change. Some of the processed ones replace samples that the kernel
 * dropped (losses.h): the lost ones.
 *
 * The difference between what a task's samples stand for and what it used is its
 * credit: ns that do not make a whole period yet, below 0 if there were too many
 * samples.
 */
#ifndef VIGIL_SAMPLER_SAMPLE_LEDGER_H
#define VIGIL_SAMPLER_SAMPLE_LEDGER_H

#include "records/record-types.h"
#include "sampler/task-samples.h"

struct task;
struct transactions;

struct sample_ledger {
	const struct transactions *transactions; /* borrowed; rows have the transaction in force */
	uint64_t period_initial, period;	 /* ns of CPU time that a sample stands for */
	uint64_t taken, processed, thinned, lost;
	uint64_t whole, broken, truncated;
	uint64_t seen;	 /* ns of CPU time in which samples were taken, and not constructed */
	uint64_t chance; /* what random numbers are made of; 0: nothing is random */
	struct recordset rows;
};

void sample_ledger_init(struct sample_ledger *ledger, uint64_t period,
			const struct transactions *transactions);
void sample_ledger_release(struct sample_ledger *ledger);

/* Begins a task with phase ns of credit, less than a period. */
void sample_ledger_begin(const struct sample_ledger *ledger, struct task *task, int64_t phase);
/*
 * Adds a sample that stands for weight ns to the credit; returns whether that
 * makes a whole period: then the caller adds a sample.
 */
bool sample_ledger_accept(const struct sample_ledger *ledger, struct task *task, uint64_t weight);
/*
 * Does the same at random: the probability grows with the credit left over. When
 * exactly a period is complete depends on how much CPU time the task has used, so
 * a program that repeats itself each period would always be seen at the same
 * point. chance 0: not random.
 */
bool sample_ledger_draw(const struct sample_ledger *ledger, struct task *task, uint64_t time, uint64_t weight);
/* Counts a sample that does not make a period and is no part of another sample. */
void sample_ledger_thin(struct sample_ledger *ledger);
/* Adds a sample of a task. time: monotonic; flags: SAMPLE_BROKEN or SAMPLE_CUT, SAMPLE_SOLO. */
void sample_ledger_add(struct sample_ledger *ledger, struct task *task, uint64_t time,
		       uint32_t stack, enum sample_kind kind, unsigned flags);
/* Adds one in this transaction (its id) rather than in the one in force now. */
void sample_ledger_add_in(struct sample_ledger *ledger, struct task *task, uint64_t time, uint32_t stack,
			  enum sample_kind kind, unsigned flags, uint64_t transaction);
/* Returns the ns of CPU time that a task's samples and credit stand for. */
int64_t sample_ledger_stands_for(const struct sample_ledger *ledger, const struct task *task);
/* Returns the same without its credit: what counts when it has ended. */
int64_t sample_ledger_covered(const struct sample_ledger *ledger, const struct task *task);

/*
 * Removes dropped samples from those processed, of which broken and truncated have such
 * a stack; the others stand for period ns each from now on.
 */
void sample_ledger_halve(struct sample_ledger *ledger, uint64_t dropped, uint64_t broken,
			 uint64_t truncated, uint64_t period);
/*
 * Call before that for each task: of its seen samples kept stay. Returns the ns
 * added to its credit, because not all numbers can be halved.
 */
int64_t sample_ledger_recount(const struct sample_ledger *ledger, struct task *task, uint64_t seen,
			      uint64_t kept, uint64_t period);

#endif
