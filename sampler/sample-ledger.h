/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The account of samples: how many there are, what each stands for, and the
 * rows that no snapshot has taken yet.
 *
 * A sample stands for one period of its task's CPU time, whatever it was made
 * of: this is the one place that says what a sample weighs. The period is the
 * ledger's and is changed by thin.c alone, together with the samples there
 * are. Of all samples taken each is either processed (it has a row) or thinned
 * (it had none, or lost it), and each processed one has a stack that is whole,
 * broken or cut; both are asserted at each change. Some of those processed were made
 * in the place of samples that the kernel dropped (losses.h): the lost ones.
 *
 * What a task's samples stand for and what it used differ by its credit: ns
 * that did not make a whole period yet, below 0 when they made more.
 */
#ifndef VIGIL_SAMPLER_SAMPLE_LEDGER_H
#define VIGIL_SAMPLER_SAMPLE_LEDGER_H

#include "records/record-types.h"
#include "sampler/task-samples.h"

struct task;
struct transactions;

struct sample_ledger {
	const struct transactions *transactions; /* borrowed: rows carry the one in force */
	uint64_t period_initial, period;	 /* ns of CPU time that a sample stands for */
	uint64_t taken, processed, thinned, lost;
	uint64_t whole, broken, cut;
	uint64_t chance; /* state of the random numbers; 0: none */
	struct recordset rows;
};

void sample_ledger_init(struct sample_ledger *ledger, uint64_t period,
			const struct transactions *transactions);
void sample_ledger_release(struct sample_ledger *ledger);

/* A task begins with ns of credit, below a period. */
void sample_ledger_begin(const struct sample_ledger *ledger, struct task *task, int64_t phase);
/* A sample was made that stands for weight ns; whether it makes a whole period with what the task
   has. Then it is one to be added. */
bool sample_ledger_accept(const struct sample_ledger *ledger, struct task *task, uint64_t weight);
/*
 * The same by lot: whether it is to be added is a chance, more of it the more ns are left over.
 * What completes a whole period depends on how much CPU time the task has used, so a program that
 * does something else each period would be seen at the same all the time. chance 0: there are no
 * lots.
 */
bool sample_ledger_draw(struct sample_ledger *ledger, struct task *task, uint64_t weight);
/* It does not, and is none that another sample is made of. */
void sample_ledger_thin(struct sample_ledger *ledger);
/* Add a sample of a task. time: monotonic; flags: SAMPLE_BROKEN or SAMPLE_CUT, SAMPLE_SOLO.
 */
void sample_ledger_add(struct sample_ledger *ledger, struct task *task, uint64_t time,
		       uint32_t stack, enum sample_kind kind, unsigned flags);
/* ns of CPU time that a task's samples and credit stand for. */
int64_t sample_ledger_stands_for(const struct sample_ledger *ledger, const struct task *task);
/* The same without its credit: what it leaves when it has ended. */
int64_t sample_ledger_told(const struct sample_ledger *ledger, const struct task *task);

/* So many of the samples processed lose their rows, broken and cut of them with such a stack; those
   left stand for period ns each from now on. */
void sample_ledger_halve(struct sample_ledger *ledger, uint64_t dropped, uint64_t broken,
			 uint64_t cut, uint64_t period);
/* Before that, for each task: of seen samples it keeps kept. Returns the ns that went to its
   credit because not all samples can be halved. */
int64_t sample_ledger_recount(const struct sample_ledger *ledger, struct task *task, uint64_t seen,
			      uint64_t kept, uint64_t period);

#endif
