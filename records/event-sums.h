/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events into sums: how often each site was reached in each transaction, and
 * how long its events lasted. Who consolidates while collecting, who does so
 * afterwards and who only reads the events gets the same numbers from here,
 * to the last count and nanosecond, however the events are cut into
 * snapshots. Memory grows with sites, transactions and tasks.
 *
 * How long an event lasts:
 * - until the next event of its task, in CPU time and in elapsed time;
 * - until collecting is blocked in the task (MB), which knows the task's CPU time;
 * - until the session pauses (MP) when that is earlier. Of an MP of the whole
 *   session (task 0) the CPU time is not known: the event gets that until the
 *   task's next event, but no more than the elapsed time until the pause;
 * - the last one of a task until the session ends (ST), with the CPU time that
 *   its TASK row knows, but no more than the elapsed time. Without an ST event,
 *   in a file that is cut off, it lasts no time.
 * - SI, ST, MP, MB and KE last no time, nor do events of task 0.
 *
 * The database time of a DB event is the elapsed time until its DA event, which is
 * the next one of its task that no call in between has taken; less the database
 * time of these calls (a callback of sqlite3_exec asks the database, too). Whatever
 * else happens in between belongs to it; a pause cuts it, too.
 *
 * Events of the whole session may stand anywhere among those of their
 * snapshot. Where a large snapshot is read from a data set in pieces they must
 * stand behind the events before them, as a producer brings them.
 *
 * Where a session has EVENT_SUM rows, they stand for all its events: then
 * EVENT rows are looked at no more.
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

	/* Its own. */
	uint32_t *next;	 /* by row: number + 1 of the next row of its site, 0 none */
	bool *changed;	 /* by row: since event_sums_put_changed */
	uint32_t *first; /* by number of site: number + 1 of its first row */
	size_t next_alloc, changed_alloc, first_count;
	struct event_task *tasks;
	size_t task_count, task_alloc, task_last;
	struct idmap task_numbers;
	uint64_t *cuts; /* times of MP events of the whole session, ascending */
	size_t cut_count, cut_alloc;
};

void event_sums_init(struct event_sums *sums);
void event_sums_release(struct event_sums *sums);
/* Take the EVENT_SITE, TASK, EVENT and EVENT_SUM rows of a snapshot. */
void event_sums_take(struct event_sums *sums, const struct snapshot *snapshot);
/* Append a row for each sum that has changed since the last call. */
void event_sums_put_changed(struct event_sums *sums, struct recordset *set);

#endif
