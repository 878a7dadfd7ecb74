/* SPDX-License-Identifier: Apache-2.0 */
/* Recognizes the objects of run times by name. */
#include "common/compat.h"
#include "events/run-time.h"
#include "agent/event-filter-area.h"

bool event_is_run_time(const char *object)
{
	static const char *const names[] = EVENT_RUN_TIME;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (event_pattern_matches(names[i], object))
			return true;
	return false;
}
