/* SPDX-License-Identifier: Apache-2.0 */
/* Finds how much work each run did: transactions, records of a data set, or events. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "records/event-codes.h"
#include "profile/comparison-data.h"
#include "profile/event-usage.h"
#include "profile/label.h"

#include <strings.h>

#define TRANSACTIONS "transactions"

/* Returns how many transactions a run had; 0 if that is not known exactly. */
static double transactions_of(const struct profile *profile)
{
	double count = 0;

	for (size_t i = 0; i < profile->transactions.count; i++) {
		const struct record_transaction *transaction =
			id_table_at(&profile->transactions, i);

		if (*profile_text(profile, transaction->name) == '.')
			continue;
		if (transaction->told && transaction->told_exact)
			count += (double)transaction->told;
		else if (transaction->told || transaction->seen)
			return 0;
		else
			count += (double)transaction->count;
	}
	return count;
}

/*
 * Returns how many records of a file a run read and wrote, if all have the same
 * length and all bytes are known; else 0.
 */
static double records_of(const struct profile *profile, const struct record_file *file)
{
	const struct activity_sum *sum = activity_find(&profile->file_activity, file->file);

	if (!sum || !file->bytes_known || !file->lrecl ||
	    profile_text(profile, file->recfm)[0] != 'F')
		return 0;
	return (double)sum->bytes / (double)file->lrecl;
}

/* Adds the records of each DD of a run to its counts, by name. */
static void count_records(struct comparison_table *table, size_t run, struct keymap *names,
			  double **counts, size_t *alloc)
{
	const struct profile *profile = table->runs[run];

	for (size_t i = 0; i < profile->files.count; i++) {
		const struct record_file *file = id_table_at(&profile->files, i);
		double records = records_of(profile, file);
		struct strbuf name = STRBUF_INIT;
		size_t before = names->count, number;

		if (records <= 0)
			continue;
		label_file(profile, file->file, &name);
		number = keymap_put(names, (uint64_t[]){ strmap_put(table->strings, name.text) });
		GROW(*counts, (number + 1) * table->run_count, *alloc);
		if (number == before)
			memset(*counts + number * table->run_count, 0,
			       table->run_count * sizeof(**counts));
		(*counts)[number * table->run_count + run] += records;
		strbuf_release(&name);
	}
}

/* Uses the records of a DD as work; NULL: of the one with the most, in all runs. */
static bool work_by_records(struct comparison_table *table, struct comparison_work *work)
{
	const char *wanted = table->request->work;
	struct keymap names;
	double *counts = NULL, most = 0;
	size_t alloc = 0, best = SIZE_MAX;

	keymap_init(&names, 1);
	for (size_t run = 0; run < table->run_count; run++)
		count_records(table, run, &names, &counts, &alloc);
	for (size_t i = 0; i < names.count; i++) {
		const char *name = strmap_text(table->strings, (uint32_t)*keymap_key(&names, i));
		double least = counts[i * table->run_count];

		for (size_t run = 1; run < table->run_count; run++)
			if (counts[i * table->run_count + run] < least)
				least = counts[i * table->run_count + run];
		if (least <= most || (wanted && strcasecmp(wanted, name) != 0))
			continue;
		most = least;
		best = i;
		work->name = name;
	}
	for (size_t run = 0; best != SIZE_MAX && run < table->run_count; run++)
		table->work[run] = counts[best * table->run_count + run];
	keymap_release(&names);
	free(counts);
	return best != SIZE_MAX;
}

static bool work_by_transactions(struct comparison_table *table, struct comparison_work *work)
{
	for (size_t run = 0; run < table->run_count; run++)
		if ((table->work[run] = transactions_of(table->runs[run])) <= 0)
			return false;
	work->name = TRANSACTIONS;
	return true;
}

/* Which events count as work. */
struct counted_events {
	uint64_t types;
	const char *statement, *program; /* NULL: any */
};

/* Parses "event:CODE", "statement:VERB" or "program:NAME"; returns false if it is none of them. */
static bool read_events(const char *wanted, struct counted_events *counted)
{
	static const char by_code[] = "event:", by_verb[] = "statement:", by_program[] = "program:";

	memset(counted, 0, sizeof(*counted));
	if (strncasecmp(wanted, by_code, strlen(by_code)) == 0)
		return event_usage_types(wanted + strlen(by_code), &counted->types);
	if (strncasecmp(wanted, by_verb, strlen(by_verb)) == 0) {
		counted->types = EVENT_TYPE_BIT(EVENT_NS);
		counted->statement = wanted + strlen(by_verb);
		return true;
	}
	if (strncasecmp(wanted, by_program, strlen(by_program)) == 0) {
		counted->types = EVENT_TYPE_BIT(EVENT_PS);
		counted->program = wanted + strlen(by_program);
		return true;
	}
	return false;
}

/* Returns how many of these events a run has; 0 if not all of them were kept. */
static double events_of(const struct profile *profile, const struct counted_events *counted)
{
	double count = 0;

	if (profile_attribute_number(profile, ATTR_EVENTS_SAMPLED_OUT) ||
	    profile_attribute_number(profile, ATTR_EVENTS_OVERWRITTEN))
		return 0;
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct record_event_sum *sum = &profile->events.rows[i];
		const struct record_event_site *site = event_usage_site(profile, sum->site);

		if (!(counted->types & EVENT_TYPE_BIT(site->type)) ||
		    (counted->statement &&
		     strcasecmp(counted->statement, profile_text(profile, site->statement)) != 0) ||
		    (counted->program &&
		     strcasecmp(counted->program, profile_text(profile, site->program)) != 0))
			continue;
		count += (double)sum->hits;
	}
	return count;
}

static bool work_by_events(struct comparison_table *table, struct comparison_work *work)
{
	struct counted_events counted;

	if (!table->request->work || !read_events(table->request->work, &counted))
		return false;
	for (size_t run = 0; run < table->run_count; run++)
		if ((table->work[run] = events_of(table->runs[run], &counted)) <= 0)
			return false;
	work->name = table->request->work;
	work->events = true;
	return true;
}

void comparison_work_find(struct comparison_table *table, struct comparison_work *work)
{
	const char *wanted = table->request->work;
	bool transactions = !wanted || strcasecmp(wanted, TRANSACTIONS) == 0;
	bool found = false;

	work->name = "";
	work->events = false;
	work->units[COMPARISON_BASE] = work->units[COMPARISON_OTHER] = 0;
	if (wanted && strcasecmp(wanted, "none") == 0)
		return;
	found = (transactions && work_by_transactions(table, work)) ||
		work_by_events(table, work);
	if (!found && !(wanted && transactions))
		found = work_by_records(table, work);
	for (size_t run = 0; run < table->run_count; run++) {
		enum comparison_side side = comparison_side_of(table, run);

		if (!found)
			table->work[run] = 0;
		work->units[side] +=
			table->work[run] / (double)table->request->run_counts[side];
	}
}
