/* SPDX-License-Identifier: Apache-2.0 */
/* Events of functions that were compiled with -finstrument-functions. */
#include "agent/event-functions.h"

AGENT_VISIBLE void __cyg_profile_func_enter(void *function, void *call);
AGENT_VISIBLE void __cyg_profile_func_exit(void *function, void *call);

void __cyg_profile_func_enter(void *function, void *call UNUSED)
{
	if (event_function_wanted(function))
		event_write(EVENT_MARK_ENTRY | (uint64_t)function << 8);
}

void __cyg_profile_func_exit(void *function, void *call UNUSED)
{
	if (event_function_wanted(function))
		event_write(EVENT_MARK_RETURN | (uint64_t)function << 8);
}
