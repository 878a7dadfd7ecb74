/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sampling of events (SAMPLING=ON): a filter that lets few events through and
 * preserves what they say about CPU time.
 *
 * Sampling times are the multiples of the interval on the CPU clock of each task.
 * An event belongs to the first sampling time at or after its own CPU time. Of the
 * events that belong to one sampling time only the last is kept, and gets the
 * sampling time as its CPU time: it was the active one then. So there is at most
 * one event per interval, an event that lasts longer is kept once, and durations
 * are multiples of the interval.
 *
 * - The elapsed time of an event is unchanged.
 * - ST, MP, MB and KE, the end of a task, pass unchanged (except for the MB of a wait
 *   for space in the pool, which is dropped). The event that is still held, of the task
 *   or of all tasks, precedes them if its sampling time has been reached; otherwise it
 *   was active at no sampling time and is dropped, so that no interval has two.
 * - Other events of the whole session (task 0) pass unchanged.
 *
 * The result is right in CPU time, within the margin of error of that number of
 * samples. Hits, elapsed and database times are those of the events kept, and mean
 * nothing.
 */
#ifndef VIGIL_EVENTS_EVENT_SAMPLING_H
#define VIGIL_EVENTS_EVENT_SAMPLING_H

#include "engine/engine.h"
#include "records/event-sites.h"

struct event_sampling {
	uint64_t interval; /* ns of CPU time, above 0 */
	uint64_t dropped;  /* events dropped */

	/* Private. */
	struct event_site_list sites;
	struct held_event *held; /* by number of the task */
	size_t task_count, task_alloc;
	struct idmap task_numbers;
	struct recordset kept; /* events of the snapshot that are kept */
};

void event_sampling_init(struct event_sampling *sampling, uint64_t interval);
void event_sampling_release(struct event_sampling *sampling);
/* Samples the EVENT rows of the next snapshot. The last one gets all events still held. */
void event_sampling_apply(struct event_sampling *sampling, struct snapshot *snapshot);

/*
 * The same as a filter module, which reports ATTR_EVENTS_SAMPLED_OUT. Context:
 * struct event_sampling with the interval set and all else 0.
 */
extern const struct module_class event_sampling_class;

#endif
