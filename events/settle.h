/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events of a task on their way to rows: they wait for the anchor that says how
 * much CPU time the task had used.
 *
 * An anchor says so for the moment of the event behind it. What the thread was
 * off the processor between two anchors is laid before the later one's event
 * when that stands behind a gap, otherwise evenly between them.
 *
 * Rows get the id of their task where it is known, otherwise its number with
 * EVENT_TASK_NUMBER.
 */
#ifndef VIGIL_EVENTS_SETTLE_H
#define VIGIL_EVENTS_SETTLE_H

#include "events/decoder.h"

#include <assert.h>

/* Let room be there for count more events of a task. */
void event_settle_room(struct event_task *task, size_t count);

/* The next event behind the last anchor, which the caller fills in; there is room for it. */
static inline struct event_waiting *event_settle_next(struct event_task *task)
{
	assert(task->waiting_count < task->waiting_alloc);
	return &task->waiting[task->waiting_count++];
}

/* An anchor: the CPU time of the task at its next event, and ticks of the agent's own before. */
void event_settle_anchor(struct event_task *task, uint64_t cpu, uint64_t own);
/* The event of the anchor is at time: make rows of those before it. */
void event_settle_at(struct event_decoder *decoder, struct event_task *task, uint64_t time);
/*
 * Make rows of what waits in tasks that have told nothing for a while before now: there was a gap, whatever
 * comes, so that the CPU time until their last event is known. A trace would have them late otherwise.
 */
void event_settle_quiet(struct event_decoder *decoder, uint64_t now);
/*
 * A task was killed, which was noticed at time, when it had used cpu ns, as far as that is known:
 * make rows of what waits, and let idle time be right for an event at time.
 */
void event_settle_gone(struct event_decoder *decoder, struct event_task *task, uint64_t time,
		       uint64_t cpu);
/* Make rows of all that waits: no anchor comes any more. */
void event_settle_end(struct event_decoder *decoder, struct event_task *task);

#endif
