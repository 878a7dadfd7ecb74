/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the number of samples between the target and twice it. */
#include "common/compat.h"
#include "sampler/thin.h"
#include "sampler/core.h"

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

bool thinning_keep(void *argument, const struct record_sample *sample)
{
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

bool thin_accept(struct sampler *sampler, struct task *task, uint64_t weight)
{
	task->credit += (int64_t)weight;
	if (task->credit < (int64_t)sampler->period)
		return false;
	task->credit -= (int64_t)sampler->period;
	return true;
}

/* Thin the samples that no snapshot has taken yet. */
static void thin_pending(struct sampler *sampler, struct thinning *thinning)
{
	struct recordset *set = &sampler->samples;
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

/* What tasks gain or lose because an odd number cannot be halved stays on their accounts. */
static void balance(struct sampler *sampler, const struct thinning *thinning, uint64_t period)
{
	int64_t rest = (int64_t)(thinning->seen * sampler->period - thinning->kept * period);

	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		uint64_t seen, kept;
		int64_t own;

		if (task->state == TASK_ENDED || !thinning_of(thinning, task->id, &seen, &kept))
			continue;
		own = (int64_t)(seen * sampler->period - kept * period);
		task->samples = kept;
		task->credit += own;
		rest -= own;
	}
	if (sampler->residues.first)
		sampler->residues.first->rest += rest;
}

/* Halve the rate once. */
static bool halve(struct sampler *sampler)
{
	uint64_t period = sampler->period * 2;
	struct error err = ERROR_INIT;
	struct thinning thinning;
	bool done;

	thinning_init(&thinning);
	done = sampler->config.thin(sampler->config.thin_argument, thinning_keep, &thinning,
				    &err) == 0;
	if (done) {
		uint64_t dropped;

		thin_pending(sampler, &thinning);
		balance(sampler, &thinning, period);
		dropped = thinning.seen - thinning.kept;
		sampler->processed -= dropped;
		sampler->thinned += dropped;
		sampler->broken -= thinning.dropped_broken;
		sampler->whole -= dropped - thinning.dropped_broken;
		sampler->period = period;
		if (sampler->perf_open)
			perf_set_period(&sampler->perf, period);
	}
	thinning_release(&thinning);
	error_release(&err);
	return done;
}

void thin_when_due(struct sampler *sampler)
{
	const struct sampler_config *config = &sampler->config;

	if (config->fixed_rate || !config->thin || config->stop_after_samples)
		return;
	while (!sampler->thin_failed && sampler->processed > 2 * config->target)
		sampler->thin_failed = !halve(sampler);
}
