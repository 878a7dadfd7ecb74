/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are active in a thread, for sources that tell where a function's
 * return address stands: patched functions and those compiled with -pg.
 *
 * A function that begins is written and noted; when it ends the note goes, and the
 * end is written. Notes whose functions are over without a word (longjmp, an
 * exception, an end that could not be patched) are found by the place of their
 * return address, which no longer lies above that of what begins or ends: their
 * ends are written then. So levels are exact.
 *
 * Stacks that a program makes for coroutines (makecontext) and for signals
 * (sigaltstack) are known: what is active on another stack is not over.
 *
 * These functions are called where every register may be in use: they are compiled
 * without vector registers and keep all others, and what they call beyond this
 * file (event-lane's slow ways) is called by way of event-kept.h, which keeps them all.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_FRAMES_H
#define VIGIL_AGENT_EVENTS_EVENT_FRAMES_H

#include "agent/events/event-kept.h"

/*
 * A function begins or ends. key: by what its events know it; place: the address
 * where its return address stands.
 */
KEEPS_REGISTERS void event_frame_begins(uint64_t key, uint64_t place);
KEEPS_REGISTERS void event_frame_ends(uint64_t key, uint64_t place);
/* A jump leaves functions, as event_functions_left has it. */
void event_frames_left(bool (*is_left)(uint64_t place, const void *jump), const void *jump);
/* A stack of a coroutine; of a signal handler. */
void event_frames_stack(uint64_t start, uint64_t size, bool of_signals);

#endif
