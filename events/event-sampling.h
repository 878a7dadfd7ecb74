/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sampling of events (SAMPLING=ON): a filter that lets few events through and
 * keeps what they say about CPU time.
 *
 * Sampling times are the multiples of the interval on the CPU clock of each
 * task. An event counts to the first sampling time at or after its own CPU
 * time. Of the events that count to one sampling time only the last stays, and
 * gets the sampling time as its CPU time: it is the one that was active then.
 * So there is at most one event an interval, one that lasts longer is there
 * once, and its duration is a multiple of the interval.
 *
 * - The elapsed time of an event is left alone.
 * - ST, MP, MB, and KE, the end of a task, go through as they are (but for the MB of
 *   a wait for room in the pool, which is left out). Before them
 *   goes the event that is still held back, of the task or of all tasks, if its
 *   sampling time has come by then; otherwise it was active at none and is left
 *   out, so that no interval has two.
 * - Other events of the whole session (task 0) go through as they are.
 *
 * What comes out is right in CPU time, within the margin of error of so many
 * samples. Hits, elapsed and database times are those of the events that
 * stayed, and mean nothing.
 */
#ifndef VIGIL_EVENTS_EVENT_SAMPLING_H
#define VIGIL_EVENTS_EVENT_SAMPLING_H

#include "engine/engine.h"
#include "records/event-sites.h"

struct event_sampling {
	uint64_t interval; /* ns of CPU time, above 0 */
	uint64_t dropped;  /* events that did not go through */

	/* Its own. */
	struct event_site_list sites;
	struct held_event *held; /* by number of the task */
	size_t task_count, task_alloc;
	struct idmap task_numbers;
	struct recordset kept; /* of the snapshot */
};

void event_sampling_init(struct event_sampling *sampling, uint64_t interval);
void event_sampling_release(struct event_sampling *sampling);
/* Thin the EVENT rows of the next snapshot. Its last one brings all that is held back. */
void event_sampling_apply(struct event_sampling *sampling, struct snapshot *snapshot);

/*
 * The same as a filter module, which counts ATTR_EVENTS_SAMPLED_OUT. Context:
 * struct event_sampling with the interval set and all else 0.
 */
extern const struct module_class event_sampling_class;

#endif
