/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the number of samples between the target and twice it. */
#include "common/compat.h"
#include "sampler/thin.h"
#include "records/record-types.h"
#include "sampler/estimate.h"
#include "sampler/perf.h"
#include "sampler/residue.h"
#include "sampler/sample-ledger.h"
#include "sampler/sampler-config.h"
#include "sampler/tasks.h"

/* Maximum factor of the period by relief. */
#define RELIEF_MAX 4
#define SEEN_SHIFT 33
#define COUNT_MASK UINT64_C(0x7fffffff)

void thinning_init(struct thinning *thinning)
{
	memset(thinning, 0, sizeof(*thinning));
	idmap_init(&thinning->tasks);
	thinning->next_first = true;
}

void thinning_release(struct thinning *thinning)
{
	idmap_release(&thinning->tasks);
}

bool thinning_keep(void *argument, const void *row)
{
	const struct record_sample *sample = row;
	struct thinning *thinning = argument;
	uint64_t state, seen, kept;
	bool keep;

	if (!idmap_get(&thinning->tasks, sample->task, &state)) {
		state = thinning->next_first;
		thinning->next_first = !thinning->next_first;
	}
	keep = state & 1;
	seen = (state >> SEEN_SHIFT) + 1;
	kept = (state >> 1 & COUNT_MASK) + keep;
	idmap_put(&thinning->tasks, sample->task, seen << SEEN_SHIFT | kept << 1 | !keep);
	thinning->seen++;
	thinning->kept += keep;
	thinning->dropped_broken += !keep && (sample->flags & SAMPLE_BROKEN);
	thinning->dropped_truncated += !keep && (sample->flags & SAMPLE_CUT);
	return keep;
}

bool thinning_of(const struct thinning *thinning, uint64_t task, uint64_t *seen, uint64_t *kept)
{
	uint64_t state;

	if (!idmap_get(&thinning->tasks, task, &state))
		return false;
	*seen = state >> SEEN_SHIFT;
	*kept = state >> 1 & COUNT_MASK;
	return true;
}

void thin_init(struct thin *thin, const struct thin_parts *parts)
{
	*thin = (struct thin){ .parts = *parts };
}

/* Thins the samples that no snapshot has taken yet. */
static void thin_pending(struct recordset *set, struct thinning *thinning)
{
	struct recordset left;

	recordset_init(&left, set->type);
	for (size_t i = 0; i < set->count; i++) {
		const struct record_sample *row = recordset_get(set, i);

		if (thinning_keep(thinning, row))
			recordset_add(&left, row);
	}
	recordset_release(set);
	*set = left;
}

/* Adds what tasks gain or lose because of odd numbers to their accounts. */
static void balance(struct thin *thin, const struct thinning *thinning, uint64_t period)
{
	const struct sample_ledger *ledger = thin->parts.ledger;
	struct residue *residue = thin->parts.residues->first;
	int64_t rest = (int64_t)(thinning->seen * ledger->period - thinning->kept * period);

	for (struct task *task = thin->parts.tasks->all; task; task = task->next) {
		uint64_t seen, kept;

		if (task->state == TASK_ENDED || !thinning_of(thinning, task->base->id, &seen, &kept))
			continue;
		rest -= sample_ledger_recount(ledger, task, seen, kept, period);
	}
	if (residue)
		residue->rest += rest;
}

/* Sets the period of the events for samples of a period. */
static void set_event_period(const struct thin *thin, uint64_t period)
{
	struct perf *perf = thin->parts.perf;
	uint64_t wanted = estimate_event_period(*thin->parts.privilege, period);

	if (perf->period != wanted)
		perf_set_period(perf, wanted);
}

/* Halves the rate once; returns false on failure. */
static bool halve(struct thin *thin)
{
	const struct sampler_config *config = thin->parts.config;
	struct sample_ledger *ledger = thin->parts.ledger;
	uint64_t period = ledger->period * 2;
	struct error err = ERROR_INIT;
	struct thinning thinning;
	bool done;

	thinning_init(&thinning);
	done = config->thin(config->thin_argument, thinning_keep, &thinning, &err) == 0;
	if (done) {
		thin_pending(&ledger->rows, &thinning);
		balance(thin, &thinning, period);
		sample_ledger_halve(ledger, thinning.seen - thinning.kept, thinning.dropped_broken,
				    thinning.dropped_truncated, period);
		if (thin->parts.perf->open)
			set_event_period(thin, period);
	}
	thinning_release(&thinning);
	error_release(&err);
	return done;
}

/* Returns whether neither a fixed rate nor a number of samples was requested. */
static bool may_thin(const struct thin *thin)
{
	const struct sampler_config *config = thin->parts.config;

	return !thin->failed && config->thin && !config->fixed_rate && !config->stop_after_samples;
}

void thin_relieve(struct thin *thin)
{
	const struct sample_ledger *ledger = thin->parts.ledger;

	if (may_thin(thin) && ledger->period < RELIEF_MAX * ledger->period_initial)
		thin->failed = !halve(thin);
}

void thin_when_due(struct thin *thin)
{
	const struct sampler_config *config = thin->parts.config;

	if (!may_thin(thin))
		return;
	while (!thin->failed && thin->parts.ledger->processed > 2 * config->target)
		thin->failed = !halve(thin);
}
