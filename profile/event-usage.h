/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a session summed up: by program, line, statement, transaction or
 * type. The source is profile->events, which has the same sums whether the data
 * set has the events themselves or was consolidated, so hot spots are equal either
 * way.
 *
 * CPU and elapsed time run until the next event of the task
 * (records/event-sums.h): they are a program's self time, without the programs it
 * calls.
 */
#ifndef VIGIL_PROFILE_EVENT_USAGE_H
#define VIGIL_PROFILE_EVENT_USAGE_H

#include "profile/profile.h"
#include "profile/sums.h"
#include "records/record-types.h"

/*
 * What is summed up; the keys are strings of the profile except LINE, TYPE, KIND
 * and the record's numbers.
 */
enum event_view {
	EVENT_VIEW_PROGRAMS,	 /* program, library, object, kind */
	EVENT_VIEW_LINES,	 /* program, library, file, line; places with a line only */
	EVENT_VIEW_STATEMENTS,	 /* verb; statement events only */
	EVENT_VIEW_TRANSACTIONS, /* transaction */
	EVENT_VIEW_RECORDS,	 /* site, transaction */
	EVENT_VIEW_SOURCES,	 /* file, library, line; places with a file and a line only */
};
#define EVENT_VIEW_KEYS 4 /* maximum; the keys of LINES: */
enum event_source_key { EVENT_SOURCE_FILE, EVENT_SOURCE_LIBRARY, EVENT_SOURCE_LINE };
enum event_line_key { EVENT_LINE_PROGRAM, EVENT_LINE_LIBRARY, EVENT_LINE_FILE, EVENT_LINE_NUMBER };

/* Columns of amounts. */
enum event_amount {
	EVENT_AMOUNT_STARTS,	 /* PS events: how often a program was entered */
	EVENT_AMOUNT_STATEMENTS, /* NS events: how often statements were executed; for programs
				  * also those that were counted */
	EVENT_AMOUNT_EVENTS,
	EVENT_AMOUNT_CPU,      /* ns */
	EVENT_AMOUNT_ELAPSED,  /* ns */
	EVENT_AMOUNT_DATABASE, /* ns from DB to DA events */
	EVENT_AMOUNTS
};

/* Which events are selected; all zero: all. */
struct event_selection {
	const char *program; /* pattern with * and ?, case-insensitive; NULL: any */
	uint64_t types;	     /* 1 << enum event_type; 0: any */
	uint64_t from, to;   /* ns since the session began; to 0: its end. Ignored for sums,
			      * which have no times */
};

/* Returns whether the session has events, or sums of them. */
bool event_usage_any(const struct profile *profile);
/* Returns whether the data set has the events themselves, so that they can be shown one by one. */
bool event_usage_has_trace(const struct profile *profile);
/* Returns the site of an id; a site without a name if its row is lost. */
const struct record_event_site *event_usage_site(const struct profile *profile, uint64_t site);
/* Returns whether events of a site are selected. */
bool event_usage_selected(const struct profile *profile, const struct event_selection *selection,
			  const struct record_event_site *site);
/*
 * Parses a list of codes and groups, "PS,N" (records/event-codes.h), into a set of
 * types. Returns false if a word is unknown.
 */
bool event_usage_types(const char *list, uint64_t *types);

/* Sums up the selected events in a view; initializes sums, which the caller releases. */
void event_usage_sum(const struct profile *profile, enum event_view view,
		     const struct event_selection *selection, struct sums *sums);
/* Computes the amounts of all events of the session. */
void event_usage_total(const struct profile *profile, uint64_t total[EVENT_AMOUNTS]);

#endif
