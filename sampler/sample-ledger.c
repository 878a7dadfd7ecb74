/* SPDX-License-Identifier: Apache-2.0 */
/* Counts samples and makes their rows. */
#include "common/compat.h"
#include "sampler/sample-ledger.h"
#include "sampler/tasks.h"
#include "sampler/transactions.h"

/* Whether each sample is counted once in each way. */
static void check(const struct sample_ledger *ledger)
{
	assert(ledger->taken == ledger->processed + ledger->thinned);
	assert(ledger->processed == ledger->whole + ledger->broken);
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

void sample_ledger_thin(struct sample_ledger *ledger)
{
	ledger->taken++;
	ledger->thinned++;
	check(ledger);
}

void sample_ledger_add(struct sample_ledger *ledger, struct task *task, uint64_t time,
		       uint32_t stack, enum sample_kind kind, unsigned flags)
{
	struct record_sample row = {
		.time = time,
		.task = task->id,
		.stack = stack,
		.kind = kind,
		.flags = flags,
		.transaction = transactions_of(ledger->transactions, task->tid),
	};

	recordset_add(&ledger->rows, &row);
	task->samples.count++;
	ledger->taken++;
	ledger->processed++;
	*(flags & SAMPLE_BROKEN ? &ledger->broken : &ledger->whole) += 1;
	check(ledger);
}

void sample_ledger_records_lost(struct sample_ledger *ledger, uint64_t records)
{
	ledger->lost_open += records;
}

bool sample_ledger_lose(struct sample_ledger *ledger, struct task *task)
{
	if (!ledger->lost_open)
		return false;
	ledger->lost_open--;
	ledger->lost++;
	task->samples.lost += ledger->period;
	return true;
}

int64_t sample_ledger_told(const struct sample_ledger *ledger, const struct task *task)
{
	return (int64_t)(task->samples.lost + task->samples.count * ledger->period);
}

int64_t sample_ledger_stands_for(const struct sample_ledger *ledger, const struct task *task)
{
	return sample_ledger_told(ledger, task) + task->samples.credit - task->samples.phase;
}

void sample_ledger_halve(struct sample_ledger *ledger, uint64_t dropped, uint64_t broken,
			 uint64_t period)
{
	assert(broken <= dropped && dropped - broken <= ledger->whole);
	assert(broken <= ledger->broken);
	ledger->processed -= dropped;
	ledger->thinned += dropped;
	ledger->broken -= broken;
	ledger->whole -= dropped - broken;
	ledger->period = period;
	check(ledger);
}

int64_t sample_ledger_recount(const struct sample_ledger *ledger, struct task *task, uint64_t seen,
			      uint64_t kept, uint64_t period)
{
	int64_t own = (int64_t)(seen * ledger->period - kept * period);

	task->samples.count = kept;
	task->samples.credit += own;
	return own;
}
