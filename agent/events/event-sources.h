/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of events that look for themselves where a process has what they tell of. */
#ifndef VIGIL_AGENT_EVENTS_EVENT_SOURCES_H
#define VIGIL_AGENT_EVENTS_EVENT_SOURCES_H

/* Begin: an image of a process does, before main. */
void event_sources_begin(void);

#endif
