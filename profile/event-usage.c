/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up events by common properties. */
#include "common/compat.h"
#include "profile/event-usage.h"
#include "common/pattern.h"
#include "records/event-codes.h"

bool event_usage_types(const char *list, uint64_t *types)
{
	*types = 0;
	for (;;) {
		size_t length = strcspn(list, ",");
		uint64_t word = event_code_types(list, length);

		if (!word)
			return false;
		*types |= word;
		if (!list[length])
			return true;
		list += length + 1;
	}
}

bool event_usage_any(const struct profile *profile)
{
	return profile->events.count || profile->has_event_rows;
}

bool event_usage_has_trace(const struct profile *profile)
{
	return profile->has_event_rows;
}

const struct record_event_site *event_usage_site(const struct profile *profile, uint64_t site)
{
	static const struct record_event_site none;
	const struct record_event_site *found = id_table_get(&profile->event_sites, site);

	return found ? found : &none;
}

bool event_usage_selected(const struct profile *profile, const struct event_selection *selection,
			  const struct record_event_site *site)
{
	uint64_t bit = site->type < 64 ? UINT64_C(1) << site->type : 0;

	if (selection->types && !(selection->types & bit))
		return false;
	return !selection->program ||
	       pattern_matches(selection->program, profile_text(profile, site->program),
			    PATTERN_IGNORE_CASE);
}

/* Fills the key of a sum in a view; returns false if the view leaves it out. */
static bool fill_key(const struct profile *profile, enum event_view view,
		     const struct record_event_site *site, const struct record_event_sum *sum,
		     uint64_t key[EVENT_VIEW_KEYS])
{
	memset(key, 0, EVENT_VIEW_KEYS * sizeof(*key));
	switch (view) {
	case EVENT_VIEW_PROGRAMS:
		key[0] = site->program;
		key[1] = site->library;
		key[2] = site->object;
		key[3] = site->kind;
		return true;
	case EVENT_VIEW_LINES:
		key[EVENT_LINE_PROGRAM] = site->program;
		key[EVENT_LINE_LIBRARY] = site->library;
		key[EVENT_LINE_FILE] = site->file;
		key[EVENT_LINE_NUMBER] = site->line;
		return site->line;
	case EVENT_VIEW_STATEMENTS:
		key[0] = site->statement;
		return site->type == EVENT_NS;
	case EVENT_VIEW_TRANSACTIONS:
		key[0] = sum->transaction;
		return true;
	case EVENT_VIEW_SOURCES:
		key[EVENT_SOURCE_FILE] = site->file;
		key[EVENT_SOURCE_LIBRARY] = site->library;
		key[EVENT_SOURCE_LINE] = site->line;
		return site->line && *profile_text(profile, site->file);
	default:
		key[0] = sum->site;
		key[1] = sum->transaction;
		return true;
	}
}

/* Returns the number of key values in a view. */
static size_t key_width(enum event_view view)
{
	static const size_t widths[] = { 4, 4, 1, 1, 2, 3 };

	return widths[view];
}

static void add_sum(uint64_t *amounts, uint64_t type, const struct record_event_sum *sum)
{
	amounts[EVENT_AMOUNT_STARTS] += type == EVENT_PS ? sum->hits : 0;
	amounts[EVENT_AMOUNT_STATEMENTS] += type == EVENT_NS ? sum->hits : 0;
	amounts[EVENT_AMOUNT_EVENTS] += sum->hits;
	amounts[EVENT_AMOUNT_CPU] += sum->cpu;
	amounts[EVENT_AMOUNT_ELAPSED] += sum->elapsed;
	amounts[EVENT_AMOUNT_DATABASE] += sum->database;
}

/*
 * Adds statements that were only counted: per program, without the details a
 * statement event has.
 */
static void add_counted(const struct profile *profile, const struct event_selection *selection,
			struct sums *sums)
{
	static const struct record_event_sum none;

	for (size_t i = 0; i < profile->event_sites.count; i++) {
		const struct record_event_site *site = id_table_at(&profile->event_sites, i);
		uint64_t key[EVENT_VIEW_KEYS];

		if (site->counted && event_usage_selected(profile, selection, site) &&
		    fill_key(profile, EVENT_VIEW_PROGRAMS, site, &none, key))
			sums_at(sums, key)[EVENT_AMOUNT_STATEMENTS] += site->counted;
	}
}

void event_usage_sum(const struct profile *profile, enum event_view view,
		     const struct event_selection *selection, struct sums *sums)
{
	sums_init(sums, key_width(view), EVENT_AMOUNTS);
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct record_event_sum *sum = &profile->events.rows[i];
		const struct record_event_site *site = event_usage_site(profile, sum->site);
		uint64_t key[EVENT_VIEW_KEYS];

		if (event_usage_selected(profile, selection, site) &&
		    fill_key(profile, view, site, sum, key))
			add_sum(sums_at(sums, key), site->type, sum);
	}
	if (view == EVENT_VIEW_PROGRAMS)
		add_counted(profile, selection, sums);
}

void event_usage_total(const struct profile *profile, uint64_t total[EVENT_AMOUNTS])
{
	memset(total, 0, EVENT_AMOUNTS * sizeof(*total));
	for (size_t i = 0; i < profile->events.count; i++) {
		const struct record_event_sum *sum = &profile->events.rows[i];

		add_sum(total, event_usage_site(profile, sum->site)->type, sum);
	}
}
