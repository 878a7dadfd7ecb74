/* SPDX-License-Identifier: Apache-2.0 */
/* Searches a profile for faults and sorts what it finds. */
#include "common/compat.h"
#include "profile/advice.h"
#include "common/xalloc.h"
#include "profile/advice/advice-search.h"
#include "profile/wait-variance.h"

static advice_rule *const rules[] = {
	advice_polling,	   advice_sync,	 advice_children, advice_calls,
	advice_arithmetic, advice_table, advice_database, advice_locks,
	advice_cancel,	   advice_text_end, advice_building,
};

/*
 * Returns the place that a wait is charged to; the innermost place if no frame
 * belongs to the program.
 */
static const struct place *place_of(const struct profile *profile, const struct profile_wait *wait)
{
	const struct place *caller = attribution_caller(&profile->attribution, wait->stack);

	return caller ? caller : attribution_place(&profile->attribution, wait->stack);
}

/* Sums up the waits by reason, file and place. */
static void sum_waits(struct advice_search *search)
{
	const struct profile *profile = search->profile;
	uint64_t *variances;

	search->wait_rows = xcalloc(profile->wait_count + 1, sizeof(*search->wait_rows));
	sums_init(&search->waits, ADVICE_WAIT_KEYS, ADVICE_WAIT_AMOUNTS);
	for (size_t i = 0; i < profile->wait_count; i++) {
		const struct profile_wait *wait = &profile->waits[i];
		const struct place *place = place_of(profile, wait);
		uint64_t *amounts = sums_at(
			&search->waits,
			(const uint64_t[]){ wait->reason, wait->file, place->module, place->section,
					    place->procedure, place->line, place->other_file });

		amounts[ADVICE_COUNT] += wait->count;
		amounts[ADVICE_TOTAL] += wait->total;
		amounts[ADVICE_CHARGED] += wait->charged;
		search->wait_rows[i] =
			(size_t)(amounts - search->waits.values) / search->waits.width;
	}
	variances = xcalloc(search->waits.keys.count + 1, sizeof(*variances));
	wait_variances(profile, search->wait_rows, search->waits.keys.count, variances);
	for (size_t i = 0; i < search->waits.keys.count; i++)
		search->waits.values[i * search->waits.width + ADVICE_VARIANCE] = variances[i];
	free(variances);
}

static int compare(const void *first, const void *second)
{
	const struct advice *a = first, *b = second;

	if (a->saves != b->saves)
		return a->saves < b->saves ? 1 : -1;
	return strcmp(a->where, b->where) ? strcmp(a->where, b->where) : strcmp(a->what, b->what);
}

void advices_init(struct advice_list *advice_list, const struct profile *profile)
{
	struct advice_search search = { .profile = profile,
					.found = advice_list,
					.run = profile_run_time(profile) };

	memset(advice_list, 0, sizeof(*advice_list));
	if (!search.run)
		return;
	sum_waits(&search);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		rules[i](&search);
	if (advice_list->count)
		qsort(advice_list->items, advice_list->count, sizeof(*advice_list->items), compare);
	sums_release(&search.waits);
	free(search.wait_rows);
}

void advices_release(struct advice_list *advice_list)
{
	for (size_t i = 0; i < advice_list->count; i++) {
		struct advice *advice = &advice_list->items[i];

		for (size_t j = 0; j < advice->evidence_count; j++)
			free(advice->evidence[j].row);
		free(advice->evidence);
		free(advice->what);
		free(advice->where);
	}
	free(advice_list->items);
	memset(advice_list, 0, sizeof(*advice_list));
}
