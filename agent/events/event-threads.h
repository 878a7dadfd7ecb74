/* SPDX-License-Identifier: Apache-2.0 */
/* Lets threads that a program creates report that they begin. */
#ifndef VIGIL_AGENT_EVENTS_EVENT_THREADS_H
#define VIGIL_AGENT_EVENTS_EVENT_THREADS_H

#include "agent/agent.h"

/*
 * For a thread about to be created that executes start with argument: replaces
 * both, so that it reports its begin first. Returns false if both stay as they
 * are.
 */
bool event_thread_made(void *(**start)(void *), void **argument);
/* Call if the thread could not be created; argument: the replacement. */
void event_thread_failed(const void *argument);

#endif
