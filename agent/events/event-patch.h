/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patches code (plans: event-patch-area.h). Before main, and when an object is
 * loaded later, nobody executes what is patched: a program whose libraries have
 * begun threads before this one was initialised keeps its code as it is.
 *
 * Once filters let no function pass any more, the code is given back by a process
 * that has one thread. Where others may be executing it, it stays, and the stubs
 * call nobody.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_PATCH_H
#define VIGIL_AGENT_EVENTS_EVENT_PATCH_H

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

/*
 * What a source of events does with a plan: carry it out; true when anything
 * was done, and then *_gone is called once the object is gone. table: shared with
 * the monitor, where it is counted what could not be done. first: the program has
 * not begun. plan is valid during the call.
 */
bool event_patch_object(const struct event_loaded *object, struct event_objects_area *table, const void *plan,
			bool first);
void event_patch_gone(const struct event_loaded *object);
/*
 * Let function be called in place of the one at address, which does nothing but
 * return; false: it is not such a function, or cannot be patched.
 */
bool event_patch_hook(uint64_t address, void (*function)(void));

#endif
