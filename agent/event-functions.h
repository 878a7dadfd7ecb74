/* SPDX-License-Identifier: Apache-2.0 */
/* Whether events of a function are wanted: what all sources of such events ask first. */
#ifndef VIGIL_AGENT_EVENT_FUNCTIONS_H
#define VIGIL_AGENT_EVENT_FUNCTIONS_H

#include "agent/event-lane.h"

/* function: the address by which its events know it. */
static inline bool event_function_wanted(const void *function)
{
	const struct event_area *area = event_area;
	const uint64_t *blocked;

	if (!event_active() || !area->functions)
		return false;
	if (!__atomic_load_n(&area->blocking, __ATOMIC_RELAXED))
		return true;
	blocked = (const uint64_t *)((const char *)area + area->blocked);
	return __atomic_load_n(&blocked[EVENT_BLOCKED_PLACE(function) % EVENT_BLOCKED],
			       __ATOMIC_RELAXED) != EVENT_BLOCKED_WORD(event_image, function);
}

#endif
