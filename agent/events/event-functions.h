/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: whether events of one are wanted, what all sources ask first; those that a jump leaves. */
#ifndef VIGIL_AGENT_EVENTS_EVENT_FUNCTIONS_H
#define VIGIL_AGENT_EVENTS_EVENT_FUNCTIONS_H

#include "agent/events/event-lane.h"
#include "agent/events/event-noted.h"

/*
 * A jump leaves functions: those noted last for which is_left holds have ended.
 * place is the stack pointer that a function's frame had.
 */
typedef bool event_is_left(uint64_t place, const void *jump);
void event_functions_left(event_is_left *is_left, const void *jump);
/* Whether filters block a function, where they block any. */
static inline bool event_function_is_blocked(const void *function)
{
	const uint64_t *blocked = (const uint64_t *)((const char *)event_area + event_area->blocked);

	return __atomic_load_n(&blocked[EVENT_BLOCKED_PLACE(function) % EVENT_BLOCKED],
			       __ATOMIC_RELAXED) == EVENT_BLOCKED_WORD(event_image, function);
}

/* Whether filters let a function pass. function: the address by which its events know it. */
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
