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
#ifndef VIGIL_AGENT_EVENT_OBJECTS_H
#define VIGIL_AGENT_EVENT_OBJECTS_H

#include "agent/agent.h"
#include "agent/event-objects-area.h"

/* An object as it is mapped in this process. */
struct event_loaded {
	uint64_t bias;		/* address = bias + that in the object's terms */
	uint64_t start, end;	/* of its instructions: [start, end) */
	/* Of its file, changed in ns; inode 0: it has none that can be asked for. */
	uint64_t device, inode, changed;
	bool seen, done;
	bool applied[EVENT_PLAN_COUNT]; /* a plan was carried out */
};

/* Begin: ask for what is mapped, and follow the loader. In a constructor. */
void event_objects_begin(void);
/* Ask for what is new, and forget what is gone. */
void event_objects_look(void);

/* The table that is shared with the monitor; NULL: there is none. */
struct event_objects_area *event_objects_table(void);

/*
 * What a source of events does with a plan: carry it out; true when anything
 * was done, and then *_gone is called once the object is gone. first: the
 * program has not begun. plan is valid during the call.
 */
bool event_patch_object(const struct event_loaded *object, const void *plan, bool first);
void event_patch_gone(const struct event_loaded *object);

#endif
