/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions active in a thread, for sources that know the address of a function's
 * return address: patched functions and those compiled with -pg.
 *
 * When a function begins, its event is written and a note is made; when it ends
 * the note is removed and the end is written. Notes of functions that ended
 * unreported (longjmp, an exception, an end that could not be patched) are found
 * by the address of their return address, which is no longer above that of the
 * function that begins or ends: their ends are written then. So levels are exact.
 *
 * Stacks that a program makes for coroutines (makecontext) and for signals
 * (sigaltstack) are recorded: a function active on another stack is not over.
 *
 * These functions are called where every register may be in use: they are compiled
 * without vector registers and preserve all others; what they call outside this
 * file (event-lane's slow paths) is called through event-kept.h, which preserves
 * all registers.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_FRAMES_H
#define VIGIL_AGENT_EVENTS_EVENT_FRAMES_H

#include "agent/events/event-kept.h"

/*
 * Report that a function begins or ends. key: identifies it in its events; place:
 * the address of its return address.
 */
KEEPS_REGISTERS void event_frame_begins(uint64_t key, uint64_t place);
KEEPS_REGISTERS void event_frame_ends(uint64_t key, uint64_t place);
/* The same as event_frame_begins unless filters block the function; function: an address in it. */
KEEPS_REGISTERS void event_frame_begins_if_passes(uint64_t function, uint64_t place);
/* Ends the functions that a jump leaves; is_left as in event_functions_left. */
void event_frames_left(bool (*is_left)(uint64_t place, const void *jump), const void *jump);
/* Records a stack of a coroutine, or of a signal handler. */
void event_frames_stack(uint64_t start, uint64_t size, bool of_signals);

#endif
