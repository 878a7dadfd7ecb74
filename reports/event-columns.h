/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the reports of events: the columns of their amounts, and lists whose
 * small rows are folded.
 */
#ifndef VIGIL_REPORTS_EVENT_COLUMNS_H
#define VIGIL_REPORTS_EVENT_COLUMNS_H

#include "profile/event-usage.h"
#include "reports/report-class.h"

/* CPU, elapsed and database time in milliseconds, with shares: 52 columns of a listing. */
#define EVENT_TIME_COLUMNS \
	FIGURE(COLUMN_AVERAGE, "cpu_ns", NULL, "CPU MS", 12, .flags = COLUMN_ADDITIVE, \
	       .legend = "milliseconds until the next event of the same task: the time of the " \
			 "place itself, without the programs it called"), \
		FIGURE(COLUMN_PERCENT, "cpu_percent", NULL, "CPU %", 6, .flags = COLUMN_ADDITIVE, \
		       .legend = "share of that of all events of the session"), \
		FIGURE(COLUMN_AVERAGE, "elapsed_ns", NULL, "ELAPSED MS", 12, \
		       .flags = COLUMN_ADDITIVE, \
		       .legend = "the same in elapsed time, waits included; tasks that run side " \
				 "by side add up"), \
		FIGURE(COLUMN_PERCENT, "elapsed_percent", NULL, "ELAP %", 6, \
		       .flags = COLUMN_ADDITIVE), \
		FIGURE(COLUMN_AVERAGE, "database_ns", NULL, "DATABASE MS", 11, \
		       .flags = COLUMN_ADDITIVE, \
		       .legend = "milliseconds from database calls (DB) to their returns (DA), " \
				 "elapsed")

/* A list of sums of events, largest first. */
struct event_list {
	enum event_view view;
	size_t names; /* number of name columns, filled by put_names */
	size_t label; /* which of them holds the label of a sum, from 0 */
	bool whole;   /* no row is folded */
	/* The note that replaces a list without rows: VIGnnnnI, its number and text. */
	unsigned none_number;
	const char *none;
	void (*put_names)(struct context *context, struct table *table, struct row *row,
			  const uint64_t *key);
	/* Amounts between the names and the times; SORT=HITS sorts by the first. */
	enum event_amount counts[3];
	size_t count_count;
	enum report_sort sort; /* if none is requested */
	sums_compare compare;  /* sorts by name; its argument is the context */
};

/*
 * Adds a table with the selected rows of a list, and their total; or the note that
 * there are none.
 */
void event_list_put(struct context *context, struct document *document, const char *id,
		    const struct column *columns, size_t column_count,
		    const struct event_list *list);
/* Prints which events the report shows, if not all are selected; times: FROM and TO apply, too. */
void event_list_selection(const struct context *context, struct document *document, bool times);
/* Returns whether the session has no events; if so, adds a note instead of the report. */
bool event_list_none(struct context *context, struct document *document);

#endif
