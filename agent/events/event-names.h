/* SPDX-License-Identifier: Apache-2.0 */
/* The names that events refer to by number, shared by all processes of the step. */
#ifndef VIGIL_AGENT_EVENTS_EVENT_NAMES_H
#define VIGIL_AGENT_EVENTS_EVENT_NAMES_H

#include "agent/events/event-state.h"

/* Returns the number of a text; 0 for "", and if there is no space for another. */
uint32_t event_name(const char *text, size_t length);
/*
 * Returns the number of a text that stays at its address as long as the process
 * lives (a constant of the program): cached by address.
 */
uint32_t event_name_of_constant(const char *text);

#endif
