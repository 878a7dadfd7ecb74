/* SPDX-License-Identifier: Apache-2.0 */
/* Events of functions that were compiled with -finstrument-functions. */
#include "agent/event-lane.h"

AGENT_VISIBLE void __cyg_profile_func_enter(void *function, void *call);
AGENT_VISIBLE void __cyg_profile_func_exit(void *function, void *call);

static bool functions_wanted(void)
{
	return event_active() && event_area->functions;
}

void __cyg_profile_func_enter(void *function, void *call UNUSED)
{
	if (functions_wanted())
		event_write(EVENT_MARK_ENTRY | (uint64_t)function << 8);
}

void __cyg_profile_func_exit(void *function, void *call UNUSED)
{
	if (functions_wanted())
		event_write(EVENT_MARK_RETURN | (uint64_t)function << 8);
}
