/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks of the data pool for lanes: takes the next one, waits for room while
 * the pool is full, and notices when nobody reads it any more.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_ROOM_H
#define VIGIL_AGENT_EVENTS_EVENT_ROOM_H

#include "agent/events/event-state.h"

/*
 * Go on to another chunk; signals are blocked. False when there is none: the
 * monitor is gone, and the area's state is EVENT_STATE_OFF.
 */
bool event_room_next(struct event_lane *lane);
/* The lane ends: its chunk is done with. */
void event_room_leave(struct event_lane *lane);
/* The path under which the area is found as long as there is a monitor; borrowed. */
void event_room_watch(const char *path, uint64_t device, uint64_t file);
/* Whether there still is a monitor. */
bool event_room_watched(void);
/*
 * Open a descriptor of the monitor, by its number there, as open does with flags;
 * -1: it cannot be had.
 */
int event_room_open(uint32_t number, int flags);

#endif
