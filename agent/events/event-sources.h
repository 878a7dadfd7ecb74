/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of events that find for themselves what to report in a process. */
#ifndef VIGIL_AGENT_EVENTS_EVENT_SOURCES_H
#define VIGIL_AGENT_EVENTS_EVENT_SOURCES_H

/* Begins all sources; call in each process image before main. */
void event_sources_begin(void);

#endif
