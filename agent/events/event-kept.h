/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls from where every register may be in use: functions of the agent that
 * change registers are called through these, which preserve all of them.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_KEPT_H
#define VIGIL_AGENT_EVENTS_EVENT_KEPT_H

#include "agent/events/event-noted.h"

/* Attribute of functions that change no register except that of their result. */
#if defined(__x86_64__)
#define KEEPS_REGISTERS __attribute__((no_caller_saved_registers))
#else
#define KEEPS_REGISTERS
#endif

/*
 * Maximum number of functions of a thread noted by address. A frame has at least
 * two words: as many as fit a stack.
 */
#define EVENT_CALLS_NOTED 524288

/*
 * Gives back the code of functions once none is collected any more
 * (event-patch.c); set before any is patched, never cleared; NULL: none was
 * patched. event_unpatched is 1 once it was done.
 */
extern void (*event_unpatch)(void) AGENT_HIDDEN;
extern uint32_t event_unpatched AGENT_HIDDEN;

/* The slow paths of a lane: event_write_anchored and event_write_by_clock. */
KEEPS_REGISTERS void event_kept_anchored(uint64_t mark, uint64_t now);
KEEPS_REGISTERS void event_kept_by_clock(uint64_t mark);
/* The slow path of tallies: event_tally_slowly. */
KEEPS_REGISTERS bool event_kept_tally(struct event_lane *lane, uint64_t mark, uint64_t resumes, bool calls);
/* Returns the memory for the lane's notes, allocated at the first call; NULL: none. */
KEEPS_REGISTERS struct event_call *event_kept_calls(struct event_lane *lane);
/* Calls event_unpatch, which must not be NULL. */
KEEPS_REGISTERS void event_kept_unpatch(void);
/* Sets whether a child forked now gets a copy of a thread's notes. */
void event_calls_share(struct event_call *calls, bool shared);

#endif
