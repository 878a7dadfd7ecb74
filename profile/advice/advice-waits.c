/* SPDX-License-Identifier: Apache-2.0 */
/* Waits that a program causes itself: sleeps in a loop, and a sync after each record. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/activity.h"
#include "profile/advice/advice-search.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "records/record-types.h"

#include <math.h>

/* Minimum number of waits at one place that counts as a pattern. */
#define MIN_WAITS 20
/* A longer sleep is intentional: a pause until something else has finished. */
#define LONG_SLEEP (2 * NSEC_PER_SEC)

/*
 * Returns the CPU samples of calls by functions whose names contain a word, at the
 * place of a row of waits.
 */
static uint64_t samples_of(const struct advice_search *search, const uint64_t *key, const char *word)
{
	const struct profile *profile = search->profile;
	uint64_t samples = 0;

	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct place *via = attribution_via(&profile->attribution,
							  profile->cpu[i].stack),
				   *caller = attribution_caller(&profile->attribution,
								profile->cpu[i].stack);

		if (via && caller && caller->module == key[ADVICE_MODULE] &&
		    caller->section == key[ADVICE_SECTION] &&
		    caller->procedure == key[ADVICE_PROCEDURE] && caller->line == key[ADVICE_LINE] &&
		    strstr(profile_text(profile, via->procedure), word))
			samples += profile->cpu[i].count;
	}
	return samples;
}

/*
 * Adds a row of waits as advice, with its place and the row, and with the CPU time
 * of the calls that wait (functions whose names contain word; NULL: none); returns
 * NULL if it is not worth reporting.
 */
static struct advice *add_waits(struct advice_search *search, size_t row, const char *code,
				const char *word, const char *change)
{
	const uint64_t *key = sums_key(&search->waits, row),
		       *amounts = sums_values(&search->waits, row);
	const struct profile *profile = search->profile;
	uint64_t samples = word ? samples_of(search, key, word) : 0;
	double used = (double)session_facts_sampled(profile, samples);
	double cpu_margin = word ? profile_share_margin(profile, profile_cpu_percent(profile, samples)) /
				       100 *
				       (double)session_facts_sampled(profile, profile->samples)
			     : 0;
	struct strbuf text = STRBUF_INIT;
	struct advice *advice =
		advice_add(search, code, (double)amounts[ADVICE_CHARGED] + used,
			   hypot(advice_wait_margin(search, amounts), cpu_margin), change);

	if (advice) {
		advice_where_wait(search, advice, key);
		strbuf_addf(&text, "%s ", label_reason(key[ADVICE_REASON]));
		if (key[ADVICE_FILE]) {
			label_file(search->profile, key[ADVICE_FILE], &text);
			strbuf_addch(&text, ' ');
		}
		advice_wait_row(&text, amounts);
		advice_evidence(advice, "ACW", "%s", text.text);
		if (samples)
			advice_evidence(advice, "ACE", "%" PRIu64 " CPU samples of these calls", samples);
	}
	strbuf_release(&text);
	return advice;
}

void advice_polling(struct advice_search *search)
{
	for (size_t i = 0; i < search->waits.keys.count; i++) {
		const uint64_t *key = sums_key(&search->waits, i),
			       *amounts = sums_values(&search->waits, i);
		struct strbuf length = STRBUF_INIT;
		struct advice *advice;

		if (key[ADVICE_REASON] != WAIT_SLEEP || amounts[ADVICE_COUNT] < MIN_WAITS ||
		    amounts[ADVICE_TOTAL] / amounts[ADVICE_COUNT] > LONG_SLEEP)
			continue;
		advice = add_waits(search, i, "POLLING", NULL,
				   "Wait for the event itself: for the end of a child, for a lock, "
				   "for data on a pipe or socket, for a change of a file "
				   "(inotify). If there is nothing to wait for, remove the sleep.");
		clock_format_duration(&length, amounts[ADVICE_TOTAL] / amounts[ADVICE_COUNT]);
		if (advice)
			advice_what(advice, "the step sleeps again and again: %" PRIu64 " times, %s each",
				    amounts[ADVICE_COUNT], length.text);
		strbuf_release(&length);
	}
}

/* Adds how much was written between two syncs, if known. */
static void describe_written(const struct advice_search *search, struct advice *advice, uint64_t id,
			 uint64_t syncs)
{
	const struct activity_sum *sum = activity_find(&search->profile->file_activity, id);
	const struct record_file *file = id_table_get(&search->profile->files, id);
	struct strbuf name = STRBUF_INIT;

	label_file(search->profile, id, &name);
	advice_what(advice, "%s is written to the device %" PRIu64 " times", name.text, syncs);
	if (sum && file && file->bytes_known && sum->bytes) {
		advice_what(advice,
			    "%s is written to the device %" PRIu64 " times, after %" PRIu64
			    " bytes each",
			    name.text, syncs, sum->bytes / syncs);
		advice_evidence(advice, "DSC", "%s %" PRIu64 " bytes moved in %" PRIu64 " calls",
				name.text, sum->bytes, sum->calls);
	}
	strbuf_release(&name);
}

void advice_sync(struct advice_search *search)
{
	for (size_t i = 0; i < search->waits.keys.count; i++) {
		const uint64_t *key = sums_key(&search->waits, i),
			       *amounts = sums_values(&search->waits, i);
		struct advice *advice;

		if (key[ADVICE_REASON] != WAIT_FILE_SYNC || amounts[ADVICE_COUNT] < MIN_WAITS)
			continue;
		advice = add_waits(search, i, "SYNC", "sync",
				   "Sync once after many records, or at the end: a step that fails is run "
				   "again from its last commit in any case.");
		if (advice)
			describe_written(search, advice, key[ADVICE_FILE], amounts[ADVICE_COUNT]);
	}
}
