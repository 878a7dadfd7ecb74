/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums that threads have made by themselves (agent/event-tally-area.h): takes their
 * blocks, finds the sites of their steps, and reads what a thread that is gone has
 * not written. When the anchor after them is known they become part of a run
 * (settle.h).
 */
#ifndef VIGIL_EVENTS_TALLIES_H
#define VIGIL_EVENTS_TALLIES_H

#include "events/decoder.h"

/* Takes a block of a task; data are the slots after its first one, mark. */
void event_tallies_take(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
			const struct event_slot *data);
/*
 * Takes what is in the table of a task, at the end of the session or if its thread
 * is gone; then it frees the table.
 */
void event_tallies_left(struct event_decoder *decoder, struct event_task *task, bool gone);

#endif
