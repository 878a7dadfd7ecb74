/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consolidation of events: a filter that makes EVENT_SUM rows
 * (records/event-sums.h) from the EVENT rows that pass, while collecting or from a
 * data set. Each snapshot contains the sums that it has changed, so a truncated
 * session has those of its last complete snapshot.
 *
 * It comes after the filter that samples events. A session that keeps its events
 * has the sums, too: then a report on many million events need not read them. With
 * CONSOLIDATE=ON (drop) the events themselves are left out.
 *
 * A data set that has sums keeps them: its events are not counted again.
 */
#ifndef VIGIL_EVENTS_EVENT_CONSOLIDATE_H
#define VIGIL_EVENTS_EVENT_CONSOLIDATE_H

#include "engine/engine.h"
#include "records/event-sums.h"

struct event_consolidate {
	bool drop;	 /* keep only the sums */
	bool at_end;	 /* only the last snapshot has the sums */
	uint64_t events; /* EVENT rows that have passed */
	uint64_t made;	 /* number of sums */

	struct event_sums sums; /* private */
};

/* Call with drop and at_end set. */
void event_consolidate_init(struct event_consolidate *consolidate);
void event_consolidate_release(struct event_consolidate *consolidate);
/* Makes the sums of the next snapshot. */
void event_consolidate_apply(struct event_consolidate *consolidate, struct snapshot *snapshot);

/*
 * The same as a filter module. Context: struct event_consolidate with drop and
 * at_end set and all else 0.
 */
extern const struct module_class event_consolidate_class;

#endif
