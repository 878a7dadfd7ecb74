/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vigil-handler.so: calls the user's event handler, CEEEVPRF of
 * include/vigil/handler.h. Preloaded into a step when PROFILE(ON,'string') is in
 * effect.
 *
 * It interposes on functions of the C library and of the COBOL run time
 * (handler-threads.c, -processes.c, -conditions.c, -hooks.c), raises the event and
 * calls the next function of that name. No event is raised before handler_begin,
 * after handler_end, in a vfork child, or by the handler itself.
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

/* Begins to raise events, by calls of entry. */
void handler_start(vigil_event_handler *entry, const struct vigil_inpl *inpl);
/* Stops raising events. */
void handler_stop(void);
/*
 * Returns whether an event of this thread would be raised: the handler is on, and
 * this thread is not in it.
 */
bool handler_ready(void);
/*
 * Returns whether this process has its own memory: it is no vfork child or other
 * unknown process.
 */
bool handler_has_private_memory(void);
/*
 * Returns whether handler_ready, and this is the process that handler_start or a
 * fork created, no vfork child.
 */
bool handler_is_tracked_process(void);
/* Call in the child of a fork. */
void handler_forked(void);
/* Calls the handler. parameters may be NULL. errno is preserved. */
void handler_event(int32_t code, const struct handler_parameters *parameters);
/*
 * Call on a signal that the handler must have caused if this thread is in it: then
 * switches the handler off with a message and leaves it; returns if the thread is
 * not in the handler.
 */
void handler_escape(int signal, const sigset_t *interrupted);

/* Takes over the signals of conditions. */
void handler_watch_conditions(void);

/* Raises the events of a process's end, once. */
void handler_end(void);

/*
 * Returns the name of the function that begins at an address; NULL: it has none.
 * The text is permanent.
 */
const char *handler_function_name(uint64_t address);

/* Returns the default stack size of a thread, bytes; 0: not limited. */
uint64_t handler_default_stack(void);

#endif
