/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks of the data pool for lanes: takes the next one, waits for space while the
 * pool is full, and detects when it is no longer read.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_CHUNKS_H
#define VIGIL_AGENT_EVENTS_EVENT_CHUNKS_H

#include "agent/events/event-state.h"

/*
 * Moves to another chunk; call with signals blocked. Returns false if there is
 * none: the monitor is gone, and the area's state is EVENT_STATE_OFF.
 */
bool event_chunk_next(struct event_lane *lane);
/* Releases the chunk when the lane ends. */
void event_chunk_leave(struct event_lane *lane);
/* Sets the path under which the area is found while the monitor is alive; path is borrowed. */
void event_chunk_set_monitor(const char *path, uint64_t device, uint64_t file);
/* Returns whether the monitor is still alive. */
bool event_chunk_monitor_alive(void);
/*
 * Opens a descriptor of the monitor by its number there, with the flags of open;
 * returns -1 on failure.
 */
int event_chunk_open(uint32_t number, int flags);
/* Wakes up the monitor, if it hears the bell; changes errno. */
void event_chunk_ring(void);

#endif
