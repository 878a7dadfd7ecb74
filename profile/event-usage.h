/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a session summed up: by program, line, statement,
 * transaction or type. It comes from profile->events, which are the same sums
 * whether the data set has the events themselves or was consolidated, so hot
 * spots are equal either way.
 *
 * CPU and elapsed time are those until the next event of the task
 * (records/event-sums.h): a program's own time, without the programs it calls.
 */
#ifndef VIGIL_PROFILE_EVENT_USAGE_H
#define VIGIL_PROFILE_EVENT_USAGE_H

#include "profile/profile.h"
#include "profile/sums.h"
#include "records/record-types.h"

/* What is summed up: strings of the profile but for LINE, TYPE, KIND and the record's numbers. */
enum event_view {
	EVENT_VIEW_PROGRAMS,	 /* program, library, object, kind */
	EVENT_VIEW_LINES,	 /* program, library, file, line; places with a line only */
	EVENT_VIEW_STATEMENTS,	 /* verb; statement events only */
	EVENT_VIEW_TRANSACTIONS, /* transaction */
	EVENT_VIEW_RECORDS,	 /* site, transaction */
	EVENT_VIEW_SOURCES,	 /* file, library, line; places with a file and a line only */
};
#define EVENT_VIEW_KEYS 4 /* at most; of LINES: */
enum event_source_key { EVENT_SOURCE_FILE, EVENT_SOURCE_LIBRARY, EVENT_SOURCE_LINE };
enum event_line_key { EVENT_LINE_PROGRAM, EVENT_LINE_LIBRARY, EVENT_LINE_FILE, EVENT_LINE_NUMBER };

/* Columns of amounts. */
enum event_amount {
	EVENT_AMOUNT_STARTS,	 /* PS events: how often a program was entered */
	EVENT_AMOUNT_STATEMENTS, /* NS events: how often statements were executed; of programs also those that were counted */
	EVENT_AMOUNT_EVENTS,
	EVENT_AMOUNT_CPU,      /* ns */
	EVENT_AMOUNT_ELAPSED,  /* ns */
	EVENT_AMOUNT_DATABASE, /* ns from DB to DA events */
	EVENT_AMOUNTS
};

/* Which events are wanted; all zero: all. */
struct event_selection {
	const char *program; /* pattern with * and ?, in either case; NULL: any */
	uint64_t types;	     /* 1 << enum event_type; 0: any */
	uint64_t from, to;   /* ns since the session began; to 0: its end. Sums have no times */
};

/* Whether the session has events, or sums of them. */
bool event_usage_any(const struct profile *profile);
/* Whether the data set has the events themselves, so that they can be shown one by one. */
bool event_usage_has_trace(const struct profile *profile);
/* The site of an id; one without a name when its row is lost. */
const struct record_event_site *event_usage_site(const struct profile *profile, uint64_t site);
/* Whether events of a site are wanted. */
bool event_usage_selected(const struct profile *profile, const struct event_selection *selection,
			  const struct record_event_site *site);
/* Read "PS,N", codes and groups (records/event-codes.h), as a set of types. False when a word is none of them. */
bool event_usage_types(const char *list, uint64_t *types);

/* Sum up in a view those that are wanted; sums are initialized here and the caller's to release. */
void event_usage_sum(const struct profile *profile, enum event_view view,
		     const struct event_selection *selection, struct sums *sums);
/* Amounts of all events of the session. */
void event_usage_total(const struct profile *profile, uint64_t total[EVENT_AMOUNTS]);

#endif
