/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects (executable, shared libraries) that a process has mapped, and the
 * exchange with the monitor about patching their code (layout:
 * event-objects-area.h). Done once before main, and again whenever the dynamic
 * loader has mapped more, before their constructors run; a forked child has what
 * its parent had.
 *
 * The loader reports a change as it does to debuggers: it calls the function
 * r_debug.r_brk, which does nothing, and which is replaced by event_objects_scan.
 * It holds its lock meanwhile, so that one thread at a time is here.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_OBJECTS_H
#define VIGIL_AGENT_EVENTS_EVENT_OBJECTS_H

/* Begins: requests plans for what is mapped, and follows the loader. Call in a constructor. */
void event_objects_begin(void);
/* Requests plans for new objects, and drops those that are gone. */
void event_objects_scan(void);

#endif
