/* SPDX-License-Identifier: Apache-2.0 */
/* Counts samples and makes their rows. */
#include "common/compat.h"
#include "sampler/sample-ledger.h"
#include "common/chance.h"
#include "common/hash.h"
#include "records/record-types.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

/*
 * The probability of a sample grows by this part of the credit: so the credit
 * stays small, and varies by so many periods that it does not reveal where in a
 * period a task is.
 */
#define CREDIT_PULL 16

/* Asserts that each sample is counted exactly once in each way. */
static void check(const struct sample_ledger *ledger)
{
	assert(ledger->taken == ledger->processed + ledger->thinned);
	assert(ledger->processed == ledger->whole + ledger->broken + ledger->truncated);
}

void sample_ledger_init(struct sample_ledger *ledger, uint64_t period,
			const struct transactions *transactions)
{
	memset(ledger, 0, sizeof(*ledger));
	ledger->transactions = transactions;
	ledger->period_initial = ledger->period = period;
	recordset_init(&ledger->rows, &record_types[RECORD_SAMPLE]);
}

void sample_ledger_release(struct sample_ledger *ledger)
{
	recordset_release(&ledger->rows);
}

void sample_ledger_begin(const struct sample_ledger *ledger, struct task *task, int64_t phase)
{
	assert(phase >= 0 && phase < (int64_t)ledger->period);
	task->samples.phase = phase;
	task->samples.credit += phase;
}

bool sample_ledger_accept(const struct sample_ledger *ledger, struct task *task, uint64_t weight)
{
	struct task_samples *samples = &task->samples;

	samples->credit += (int64_t)weight;
	if (samples->credit < (int64_t)ledger->period)
		return false;
	samples->credit -= (int64_t)ledger->period;
	return true;
}

/*
 * Returns a random number for a sample, at least 0 and below 1: the same whatever
 * happened to others, so that what is kept at a lower rate is a part of what is kept at
 * a higher one.
 */
static double draw(const struct sample_ledger *ledger, const struct task *task, uint64_t time)
{
	return chance_part(hash_pair(ledger->chance, hash_pair((uint64_t)task->base->tid, time)));
}

bool sample_ledger_draw(const struct sample_ledger *ledger, struct task *task, uint64_t time, uint64_t weight)
{
	struct task_samples *samples = &task->samples;
	double period = (double)ledger->period;
	double chance = ((double)weight + (double)samples->credit / CREDIT_PULL) / period;

	if (!ledger->chance || weight >= ledger->period)
		return sample_ledger_accept(ledger, task, weight);
	samples->credit += (int64_t)weight;
	if (draw(ledger, task, time) >= chance)
		return false;
	samples->credit -= (int64_t)ledger->period;
	return true;
}

void sample_ledger_thin(struct sample_ledger *ledger)
{
	ledger->taken++;
	ledger->thinned++;
	check(ledger);
}

void sample_ledger_add(struct sample_ledger *ledger, struct task *task, uint64_t time,
		       uint32_t stack, enum sample_kind kind, unsigned flags)
{
	sample_ledger_add_in(ledger, task, time, stack, kind, flags,
			     transactions_of(ledger->transactions, task->base->tid));
}

void sample_ledger_add_in(struct sample_ledger *ledger, struct task *task, uint64_t time, uint32_t stack,
			  enum sample_kind kind, unsigned flags, uint64_t transaction)
{
	struct record_sample row = {
		.time = time,
		.task = task->base->id,
		.stack = stack,
		.kind = kind,
		.flags = flags,
		.transaction = transaction,
	};

	recordset_add(&ledger->rows, &row);
	task->samples.count++;
	task->samples.solo += (flags & SAMPLE_SOLO) != 0;
	ledger->seen += kind == SAMPLE_USER || kind == SAMPLE_KERNEL ? ledger->period : 0;
	ledger->taken++;
	ledger->processed++;
	*(flags & SAMPLE_BROKEN ? &ledger->broken
	  : flags & SAMPLE_CUT	? &ledger->truncated
				: &ledger->whole) += 1;
	check(ledger);
}

int64_t sample_ledger_covered(const struct sample_ledger *ledger, const struct task *task)
{
	return (int64_t)(task->samples.count * ledger->period + task->samples.stolen);
}

int64_t sample_ledger_stands_for(const struct sample_ledger *ledger, const struct task *task)
{
	return sample_ledger_covered(ledger, task) + task->samples.credit - task->samples.phase;
}

void sample_ledger_halve(struct sample_ledger *ledger, uint64_t dropped, uint64_t broken,
			 uint64_t truncated, uint64_t period)
{
	assert(broken + truncated <= dropped && dropped - broken - truncated <= ledger->whole);
	assert(broken <= ledger->broken && truncated <= ledger->truncated);
	ledger->processed -= dropped;
	ledger->thinned += dropped;
	/* Lost ones cannot be distinguished from the others: assume the same fraction. */
	ledger->lost /= 2;
	ledger->broken -= broken;
	ledger->truncated -= truncated;
	ledger->whole -= dropped - broken - truncated;
	ledger->period = period;
	check(ledger);
}

int64_t sample_ledger_recount(const struct sample_ledger *ledger, struct task *task, uint64_t seen,
			      uint64_t kept, uint64_t period)
{
	int64_t own = (int64_t)(seen * ledger->period - kept * period);

	task->samples.count = kept;
	task->samples.solo = seen ? task->samples.solo * kept / seen : 0;
	task->samples.credit += own;
	return own;
}
