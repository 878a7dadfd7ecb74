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
#ifndef VIGIL_AGENT_EVENT_PATCH_H
#define VIGIL_AGENT_EVENT_PATCH_H

#include "agent/event-objects.h"

/*
 * Let function be called in place of the one at address, which does nothing but
 * return; false: it is not such a function, or cannot be patched.
 */
bool event_patch_hook(uint64_t address, void (*function)(void));
/* No function is wanted any more. Does its work once; no signal handler runs meanwhile. */
void event_patch_undo(void);
/* 1: it did. */
extern uint32_t event_patch_undone;

#endif
