/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether program filters block a program; sources that know names call this when
 * they first see it.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_BLOCKED_H
#define VIGIL_AGENT_EVENTS_EVENT_BLOCKED_H

#include "agent/events/event-lane.h"

/*
 * name: of the program; object: path of its file. Returns whether there are
 * filters and none matches.
 */
static inline bool event_is_blocked(const char *name, const char *object)
{
	const struct event_area *area = event_area;
	const char *slash = strrchr(object, '/');
	char folder[PATH_MAX] = "";

	if (slash && slash != object && (size_t)(slash - object) < sizeof(folder))
		memcpy(folder, object, (size_t)(slash - object));
	for (uint64_t i = 0; i < area->filter_count && i < EVENT_FILTERS; i++)
		if (event_filter_matches(area->filters[i].library, area->filters[i].program, folder,
				      name))
			return false;
	return area->filter_count > 0;
}

#endif
