/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The objects (executable, shared libraries) that a process has mapped, and the
 * exchange with the monitor on what is to be done to their code (layout:
 * event-objects-area.h). Done once before main, and again whenever the dynamic
 * loader has mapped more, before their constructors run; a child of fork has
 * what its parent had.
 *
 * The loader tells of a change as it tells debuggers: it calls the function
 * r_debug.r_brk, which does nothing, and in whose place event_objects_look is
 * put. It holds its lock meanwhile, so that one thread at a time is here.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_OBJECTS_H
#define VIGIL_AGENT_EVENTS_EVENT_OBJECTS_H

/* Begin: ask for what is mapped, and follow the loader. In a constructor. */
void event_objects_begin(void);
/* Ask for what is new, and forget what is gone. */
void event_objects_look(void);

#endif
