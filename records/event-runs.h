/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of events: the plain events of one task in a row, without data and
 * transaction, in one EVENT_RUN record instead of an EVENT record each. A tracer
 * writes millions of them a second; a reader gets EVENT records
 * (event_runs_expand), or the sums by step, which the run brings along.
 *
 * A step is what one slot of the agent reports: a place that was reached, a
 * program that began, or one that ended, after which its caller resumes (two
 * events at one time). A run has a table of its steps, and for each of its slots
 * the number of the step and the time since the slot before. CPU times are not
 * stored: they follow from the clocks, one for each stretch between two anchors
 * (event-clock.h).
 *
 * In a snapshot the EVENT records of a task precede its runs.
 */
#ifndef VIGIL_RECORDS_EVENT_RUNS_H
#define VIGIL_RECORDS_EVENT_RUNS_H

#include "engine/snapshot.h"
#include "records/event-clock.h"
#include "records/record-types.h"

struct event_step {
	uint32_t site;	  /* id of the event's EVENT_SITE */
	uint32_t resumes; /* id of the site of a second event, a level higher; 0 none */
	int32_t deeper;	  /* level of the event, less that of the event before it */
	int64_t code;	  /* of the event; missing: none */
	uint64_t hits;	  /* number of slots in the run */
	/*
	 * Sums, ns, of the time from each slot of this step to the next slot of the run,
	 * elapsed and in CPU time.
	 */
	uint64_t elapsed, cpu;
};

/* Maximum number of EVENT records that the runs of one snapshot may become; more are damage. */
#define EVENT_RUNS_MAX (1U << 20)

/* The table of steps of a run, and which one the last slot has. */
struct event_run_steps {
	struct event_step *steps;
	size_t count, alloc;
	uint32_t last;
};

/* Returns whether a run has its sums only: they are all that was wanted of its events. */
bool event_run_is_bare(const struct record_event_run *run);
/* Reads the steps of a record. Returns false if they are damaged. The caller frees steps->steps. */
bool event_run_read_steps(struct event_run_steps *steps, const struct recordset *set, size_t row);
/* Appends the EVENT records of one run; of a damaged one those before the damage. */
void event_run_expand(const struct recordset *set, size_t row, struct recordset *events);
/*
 * Replaces the runs of a snapshot by EVENT records, which follow those that it
 * has. For the reader of files (struct record_type).
 */
void event_runs_expand(struct snapshot *snapshot);

#endif
