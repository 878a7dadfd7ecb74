/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a task before they become rows: they wait for the anchor that says how
 * much CPU time the task had used.
 *
 * An anchor gives the CPU time at the event after it. Time off the processor
 * between two anchors is placed before the later one's event if that follows a
 * gap, otherwise distributed evenly between them.
 *
 * Many plain events in a row become a run (records/event-runs.h), unless a module
 * of the session needs rows. In a snapshot the rows of a task precede its run, so
 * rows after a run wait for the next snapshot.
 *
 * Rows and runs get the id of their task if it is known, otherwise its number with
 * EVENT_TASK_NUMBER.
 */
#ifndef VIGIL_EVENTS_SETTLE_H
#define VIGIL_EVENTS_SETTLE_H

#include "events/decoder.h"

/*
 * Makes space for count more events of a task. The caller that fills some in counts
 * them: waiting_count, waiting_times.
 */
void event_settle_reserve(struct event_task *task, size_t count);

/* Returns the time of the last event after the last anchor; 0: there is none. */
static inline uint64_t event_settle_last(const struct event_task *task)
{
	return task->waiting_count ? task->waiting[task->waiting_count - 1].time : 0;
}

/*
 * Takes an anchor: the CPU time of the task at its next event, and the ticks used
 * by the agent before it.
 */
void event_settle_anchor(struct event_task *task, uint64_t cpu, uint64_t own);
/* Sets the time of the anchor's event, and makes rows of the events before it. */
void event_settle_at(struct event_decoder *decoder, struct event_task *task, uint64_t time);
/*
 * Makes rows of the waiting events of tasks that have written nothing for a while
 * before now: a gap has passed in any case, so that the CPU time until their last
 * event is known. Otherwise a trace would get them late.
 */
void event_settle_quiet(struct event_decoder *decoder, uint64_t now);
/*
 * For a task that was killed, which was noticed at time, when it had used cpu ns,
 * as far as known: makes rows of the waiting events, and sets the idle time for an
 * event at time.
 */
void event_settle_gone(struct event_decoder *decoder, struct event_task *task, uint64_t time,
		       uint64_t cpu);
/* Makes rows of all waiting events: no further anchor will arrive. */
void event_settle_end(struct event_decoder *decoder, struct event_task *task);
/* Moves the runs of all tasks to decoder->runs. */
void event_settle_finish_runs(struct event_decoder *decoder);
/* Begins the next snapshot, when rows and runs were moved: late rows are its first ones. */
void event_settle_begin_snapshot(struct event_decoder *decoder);

#endif
