/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that a program makes tell that they begin. */
#ifndef VIGIL_AGENT_EVENTS_EVENT_THREADS_H
#define VIGIL_AGENT_EVENTS_EVENT_THREADS_H

#include "agent/agent.h"

/*
 * A thread is made that executes start with argument: put in what it is to execute instead, so that it
 * tells of itself first. False: it is not to, and both stay.
 */
bool event_thread_made(void *(**start)(void *), void **argument);
/* It could not be made; argument: what was put in. */
void event_thread_failed(const void *argument);

#endif
