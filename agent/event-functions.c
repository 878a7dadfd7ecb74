/* SPDX-License-Identifier: Apache-2.0 */
/* Events of functions that were compiled with -finstrument-functions. */
#include "agent/event-lane.h"

AGENT_VISIBLE void __cyg_profile_func_enter(void *function, void *call);
AGENT_VISIBLE void __cyg_profile_func_exit(void *function, void *call);

/* Whether events of a function are wanted. */
static inline bool is_wanted(void *function)
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

void __cyg_profile_func_enter(void *function, void *call UNUSED)
{
	if (is_wanted(function))
		event_write(EVENT_MARK_ENTRY | (uint64_t)function << 8);
}

void __cyg_profile_func_exit(void *function, void *call UNUSED)
{
	if (is_wanted(function))
		event_write(EVENT_MARK_RETURN | (uint64_t)function << 8);
}
