/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reports of events share: the columns of their amounts, and lists
 * whose small rows are folded.
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

/* A list of sums of events, the largest first. */
struct event_list {
	enum event_view view;
	size_t names; /* columns of names, which put_names fills */
	size_t label; /* the one of them that holds the label of a sum, from 0 */
	bool whole;   /* no row is folded */
	/* The note in place of the list when it has no row: VIGnnnnI, its number and text. */
	unsigned none_number;
	const char *none;
	void (*put_names)(struct context *context, struct table *table, struct row *row,
			  const uint64_t *key);
	/* Amounts that stand between the names and the times; SORT=HITS is by the first. */
	enum event_amount counts[3];
	size_t count_count;
	enum report_sort sort; /* when none is asked for */
	sums_compare compare;  /* order by name; its argument is the context */
};

/* Add a table with the rows of a list that are selected, and their total; or the note that it has none. */
void event_list_put(struct context *context, struct document *document, const char *id,
		    const struct column *columns, size_t column_count,
		    const struct event_list *list);
/* Say which events the report shows, when not all are selected; times: FROM and TO count, too. */
void event_list_selection(const struct context *context, struct document *document, bool times);
/* Add a note in the place of a report when the session has no events; true when it has not. */
bool event_list_none(struct context *context, struct document *document);

#endif
