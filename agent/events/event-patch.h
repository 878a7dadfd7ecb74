/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Patches code (plans: event-patch-area.h). Before main, and when an object is
 * loaded later, no thread executes the code to be patched: a program whose
 * libraries have begun threads before this one was initialised keeps its code
 * unchanged.
 *
 * Once filters let no function pass any more, a process that has one thread
 * restores the code. If other threads may be executing it, it stays, and the stubs
 * call nothing.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_PATCH_H
#define VIGIL_AGENT_EVENTS_EVENT_PATCH_H

#include "agent/agent.h"
#include "agent/event-objects-area.h"

/* An object as mapped in this process. */
struct event_loaded {
	uint64_t bias;		/* address in memory - address in the object */
	uint64_t start, end;	/* of its instructions: [start, end) */
	/* Of its file, changed in ns; inode 0: it has no file for which plans can be requested. */
	uint64_t device, inode, changed;
	bool seen, done;
	bool applied[EVENT_PLAN_COUNT]; /* a plan was carried out */
};

/*
 * Carry out a plan for a source of events; return whether anything was done, in
 * which case *_gone is called once the object is gone. table: shared with the
 * monitor, counts what could not be done. first: the program has not begun. plan
 * is valid during the call.
 */
bool event_patch_object(const struct event_loaded *object, struct event_objects_area *table, const void *plan,
			bool first);
void event_patch_gone(const struct event_loaded *object);
/*
 * Replaces the function at address, which only returns, by function; returns false
 * if it is another kind of function, or cannot be patched.
 */
bool event_patch_hook(uint64_t address, void (*function)(void));

#endif
