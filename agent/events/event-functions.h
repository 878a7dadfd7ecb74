/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions: whether the events of one are collected, which all sources ask first;
 * and those left by a jump.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_FUNCTIONS_H
#define VIGIL_AGENT_EVENTS_EVENT_FUNCTIONS_H

#include "agent/events/event-lane.h"
#include "agent/events/event-noted.h"

/*
 * Ends the functions that a jump leaves: the newest notes for which is_left is
 * true. place is the stack pointer of a function's frame.
 */
typedef bool event_is_left(uint64_t place, const void *jump);
void event_functions_left(event_is_left *is_left, const void *jump);
/* Returns whether filters block a function; call only if any do (area->blocking). */
static inline bool event_function_is_blocked(const void *function)
{
	const uint64_t *word = &event_blocked[EVENT_BLOCKED_PLACE(function) % EVENT_BLOCKED];

	/* Addresses have none of the image's bits. */
	return (__atomic_load_n(word, __ATOMIC_RELAXED) ^ (uint64_t)function) == event_image;
}

/*
 * Returns whether filters let a function pass. function: the address that
 * identifies it in its events.
 */
static inline bool event_function_passes(const void *function)
{
	const struct event_area *area = event_area;

	return area->functions && (!UNLIKELY(__atomic_load_n(&area->blocking, __ATOMIC_RELAXED)) ||
				   !event_function_is_blocked(function));
}

static inline bool event_function_wanted(const void *function)
{
	return event_active() && event_function_passes(function);
}

#endif
