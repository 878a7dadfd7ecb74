/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of events: how often each site was reached in each transaction, and how
 * long its events lasted. Consolidation while collecting, consolidation afterwards
 * and a reader of plain events get identical numbers from here, to the last count
 * and nanosecond, however the events are divided into snapshots. Memory grows with
 * the number of sites, transactions and tasks.
 *
 * How long an event lasts, in CPU time and in elapsed time:
 * - until the next event of its task;
 * - until collecting is blocked in the task (MB, which has the task's CPU time);
 * - until the session pauses (MP) if that is earlier. An MP of the whole session
 *   (task 0) has no task's CPU time: the event gets the CPU time up to the task's
 *   next event, but at most the elapsed time up to the pause;
 * - the last one of a task: until the session ends (ST), with the CPU time in its
 *   TASK row, but at most the elapsed time. Without an ST event, as in a
 *   truncated file, it lasts no time.
 * - SI, ST, MP, MB and KE last no time, nor do events of task 0.
 *
 * The database time of a DB event is the elapsed time until its DA event: the next
 * DA of its task that does not belong to a call nested in it, less the database
 * time of nested calls (a callback of sqlite3_exec may query the database, too).
 * It includes whatever else happens in between, except that it ends at a pause.
 *
 * Of the events of a task in a snapshot, those in runs that ended before another
 * event precede it. Events of the whole session may appear anywhere among those of their snapshot.
 * If a large snapshot is read from a data set in pieces, they must follow the
 * events that precede them in time, as a producer writes them.
 *
 * If a session has EVENT_SUM rows, they cover all its events: EVENT rows are
 * ignored from then on.
 */
#ifndef VIGIL_RECORDS_EVENT_SUMS_H
#define VIGIL_RECORDS_EVENT_SUMS_H

#include "records/event-sites.h"

struct event_task;

struct event_sums {
	struct event_site_list sites;
	struct record_event_sum *rows; /* in order of first appearance; site is the id */
	size_t count, alloc;
	bool given; /* the rows are EVENT_SUM rows of the session */

	/* Private. */
	uint32_t *next;	 /* by row: number + 1 of the next row of its site, 0 none */
	bool *changed;	 /* by row: changed since event_sums_put_changed */
	uint32_t *first; /* by site number: number + 1 of its first row */
	size_t next_alloc, changed_alloc, first_count;
	struct event_task *tasks;
	size_t task_count, task_alloc, task_last;
	struct idmap task_numbers;
	uint64_t *pauses; /* times of the whole session's MP events, ascending */
	size_t pause_count, pause_alloc;
};

void event_sums_init(struct event_sums *sums);
void event_sums_release(struct event_sums *sums);
/* Takes the EVENT_SITE, TASK, EVENT, EVENT_RUN and EVENT_SUM rows of a snapshot. */
void event_sums_take(struct event_sums *sums, const struct snapshot *snapshot);
/* Appends a row for each sum that has changed since the last call. */
void event_sums_put_changed(struct event_sums *sums, struct recordset *set);

#endif
