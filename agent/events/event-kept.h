/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls from where every register may be in use: functions of the agent that change registers are
 * called from there by way of these, which keep them all.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_KEPT_H
#define VIGIL_AGENT_EVENTS_EVENT_KEPT_H

#include "agent/events/event-noted.h"

/* Such a function changes no register but that of its result. */
#if defined(__x86_64__)
#define KEEPS_REGISTERS __attribute__((no_caller_saved_registers))
#else
#define KEEPS_REGISTERS
#endif

/* Functions of a thread that can be noted by their places. A frame has two words at least: what fits a stack. */
#define EVENT_CALLS_NOTED 524288

/*
 * What gives the code of functions back where none is wanted any more (event-patch.c), set before any is
 * patched, never taken away; NULL: none was. 1: it has done so.
 */
extern void (*event_unpatch)(void) AGENT_HIDDEN;
extern uint32_t event_unpatched AGENT_HIDDEN;

/* The slow ways of a lane: event_write_anchored, and event_write_by_clock. */
KEEPS_REGISTERS void event_kept_anchored(uint64_t mark, uint64_t now);
KEEPS_REGISTERS void event_kept_by_clock(uint64_t mark);
/* Memory for what a thread notes, made at its first call, for the lane; NULL: none. */
KEEPS_REGISTERS struct event_call *event_kept_calls(struct event_lane *lane);
/* Call event_unpatch, which must not be NULL. */
KEEPS_REGISTERS void event_kept_unpatch(void);
/* Whether a child that is forked now gets a copy of what a thread has noted. */
void event_calls_share(struct event_call *calls, bool shared);

#endif
