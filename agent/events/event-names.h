/* SPDX-License-Identifier: Apache-2.0 */
/* The names that events refer to by number, shared by all processes of the step. */
#ifndef VIGIL_AGENT_EVENTS_EVENT_NAMES_H
#define VIGIL_AGENT_EVENTS_EVENT_NAMES_H

#include "agent/events/event-state.h"

/* The number of a text; 0 for "", and when there is no room for another. */
uint32_t event_name(const char *text, size_t length);
/*
 * The number of a text that stands where it is as long as the process lives (a
 * constant of the program): remembered by its address.
 */
uint32_t event_name_of_constant(const char *text);

#endif
