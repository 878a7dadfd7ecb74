/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vigil-handler.so: calls the user's event handler, CEEEVPRF of
 * include/vigil/handler.h. Preloaded into a step when PROFILE(ON,'string') is
 * in effect.
 *
 * It stands before functions of the C library and of the run time of COBOL
 * (handler-threads.c, -processes.c, -conditions.c, -hooks.c), raises the event
 * and calls the next function of that name. No event is raised before
 * handler_begin, after handler_end, in a vfork child, or by the handler itself.
 */
#ifndef VIGIL_AGENT_HANDLER_HANDLER_H
#define VIGIL_AGENT_HANDLER_HANDLER_H

#include "agent/agent.h"
#include "vigil/handler.h"

#include <signal.h>
#include <sys/types.h>

/* Parameters 2 to 10 of an event. */
struct handler_parameters {
	void *parm[9];
};

/* From now on events are raised, to entry. */
void handler_start(vigil_event_handler *entry, const struct vigil_inpl *inpl);
/* No event is raised any more. */
void handler_stop(void);
/* Whether an event of this thread would be raised: the handler is on, and not itself calling. */
bool handler_ready(void);
/* Whether this process has memory of its own: no vfork child, nor another that is not known. */
bool handler_own_memory(void);
/* handler_ready, and this is the process that handler_start or a fork made, no vfork child. */
bool handler_own_process(void);
/* This process is a fork's child. */
void handler_forked(void);
/* Call the handler. parameters may be NULL. errno is kept. */
void handler_event(int32_t code, const struct handler_parameters *parameters);
/* A signal came while this thread is in the handler and nobody else can have caused it: switch the
   handler off with a message and leave it; returns when the thread is not in the handler. */
void handler_escape(int signal, const sigset_t *interrupted);

/* Take the signals of conditions over. */
void handler_watch_conditions(void);

/* Raise the events of a process's end, once. */
void handler_end(void);

/* The name of the function that begins at an address; NULL: it has none. It stays. */
const char *handler_function_name(uint64_t address);

/* Bytes of the stack of a thread that asks for none, 0: not limited. */
uint64_t handler_default_stack(void);

#endif
