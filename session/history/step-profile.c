/* SPDX-License-Identifier: Apache-2.0 */
/* Extracts the data that the history keeps from a profile. */
#include "common/compat.h"
#include "session/history/step-profile.h"
#include "common/clock.h"
#include "common/margin.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "profile/usage.h"
#include "profile/wait-variance.h"

#include <math.h>

/* Procedures below this fraction of the samples are not kept. */
#define MIN_SAMPLE_FRACTION 1000

static int by_time(const void *a, const void *b)
{
	const struct history_wait *x = a, *y = b;

	return x->time != y->time ? (x->time < y->time ? 1 : -1) : strcmp(x->kind, y->kind);
}

static int by_cpu(const void *a, const void *b)
{
	const struct history_procedure *x = a, *y = b;
	int names;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? 1 : -1;
	names = strcmp(x->name, y->name);
	return names ? names : strcmp(x->section, y->section);
}

/* Returns the waits of a kind, added if new. */
static struct history_wait *wait_at(struct history_step *step, const char *kind)
{
	for (size_t i = 0; i < step->wait_count; i++)
		if (strcmp(step->waits[i].kind, kind) == 0)
			return &step->waits[i];
	GROW(step->waits, step->wait_count + 1, step->wait_alloc);
	step->waits[step->wait_count] = (struct history_wait){ .kind = xstrdup(kind) };
	return &step->waits[step->wait_count++];
}

/* Returns the margin of charged time, ns: that of the time waited, scaled to the charged part. */
static uint64_t charged_margin(uint64_t variance, uint64_t charged, uint64_t total)
{
	const double waited =
		MARGIN_DEVIATIONS * sqrt((double)variance) * (double)NSEC_PER_USEC;

	return total ? (uint64_t)(waited * (double)charged / (double)total) : 0;
}

/* Adds the time waited by kind. */
static void take_waits(struct history_step *step, const struct profile *profile)
{
	uint64_t charged[WAIT_REASON_COUNT] = { 0 }, total[WAIT_REASON_COUNT] = { 0 },
		 variances[WAIT_REASON_COUNT] = { 0 };
	size_t *rows = xcalloc(profile->wait_count + 1, sizeof(*rows));

	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];

		rows[i] = wait->reason < WAIT_REASON_COUNT ? wait->reason : 0;
		charged[rows[i]] += wait->charged;
		total[rows[i]] += wait->total;
	}
	wait_variances(profile, rows, WAIT_REASON_COUNT, variances);
	for (size_t i = 0; i < WAIT_REASON_COUNT; i++) {
		struct history_wait *wait;

		if (!charged[i])
			continue;
		wait = wait_at(step, label_reason(i));
		wait->time += charged[i];
		wait->margin += charged_margin(variances[i], charged[i], total[i]);
	}
	if (step->wait_count)
		qsort(step->waits, step->wait_count, sizeof(*step->waits), by_time);
	free(rows);
}

static struct history_procedure *procedure_at(struct history_step *step, const char *name,
					      const char *section)
{
	for (size_t i = 0; i < step->procedure_count; i++)
		if (strcmp(step->procedures[i].name, name) == 0 &&
		    strcmp(step->procedures[i].section, section) == 0)
			return &step->procedures[i];
	GROW(step->procedures, step->procedure_count + 1, step->procedure_alloc);
	step->procedures[step->procedure_count] = (struct history_procedure){
		.name = xstrdup(name), .section = xstrdup(section)
	};
	return &step->procedures[step->procedure_count++];
}

/* Adds the procedures charged with most CPU time. */
static void add_procedures(struct history_step *step, const struct profile *profile,
			   struct sums *sums)
{
	const struct sample_scale scale = session_facts_scale(profile);
	struct strbuf label = STRBUF_INIT;

	sums_sort_falling(sums, USAGE_CHARGED, NULL, NULL);
	for (size_t i = 0; i < sums->keys.count && i < HISTORY_PROCEDURES; i++) {
		const uint64_t *key = sums_key(sums, sums->order[i]);
		const uint64_t charged = sums_values(sums, sums->order[i])[USAGE_CHARGED];
		const double percent = profile_cpu_percent(profile, charged);
		const char *section = profile_text(profile, key[USAGE_SECTION]);
		struct history_procedure *one;

		if (charged == 0 || charged < profile->samples / MIN_SAMPLE_FRACTION)
			break;
		strbuf_reset(&label);
		usage_label(profile, key, &label);
		one = procedure_at(step, label.text,
				   *section ? section : profile_text(profile, key[USAGE_MODULE]));
		one->samples += charged;
		one->cpu += sample_scale_time(&scale, charged);
		one->margin += (uint64_t)(profile_share_margin(profile, percent) / 100 *
					  (double)sample_scale_time(&scale, profile->samples));
	}
	strbuf_release(&label);
}

static void take_procedures(struct history_step *step, const struct profile *profile)
{
	struct usage usage;
	struct sums sums;

	usage_init(&usage, profile, USAGE_RESOLUTION);
	usage_procedures(&usage, &sums);
	add_procedures(step, profile, &sums);
	if (step->procedure_count)
		qsort(step->procedures, step->procedure_count, sizeof(*step->procedures), by_cpu);
	while (step->procedure_count > HISTORY_PROCEDURES) {
		step->procedure_count--;
		free(step->procedures[step->procedure_count].name);
		free(step->procedures[step->procedure_count].section);
	}
	sums_release(&sums);
	usage_release(&usage);
}

/* Adds to an amount, which is unknown before the first session of the step. */
static void add_figure(struct history_step *step, enum history_figure figure, uint64_t amount)
{
	step->figures[figure] =
		step->figures[figure] == HISTORY_UNKNOWN ? amount : step->figures[figure] + amount;
}

void step_profile_take(struct history_step *step, const struct profile *profile,
		       const char *finding)
{
	if (!step->measured) {
		step->finding = xstrdup(finding ? finding : "");
		step->data_set = xstrdup(profile->path);
		step->margin = profile->samples ? profile_margin(profile) : NAN;
		for (int i = 0; i < HISTORY_FIGURES; i++)
			step->figures[i] = HISTORY_UNKNOWN;
	}
	step->measured = true;
	step->samples += profile->samples;
	add_figure(step, HISTORY_WAIT, profile->charged);
	add_figure(step, HISTORY_CALLS, profile->step.read_calls + profile->step.write_calls);
	add_figure(step, HISTORY_BYTES, profile->step.moved_bytes);
	take_waits(step, profile);
	take_procedures(step, profile);
}
