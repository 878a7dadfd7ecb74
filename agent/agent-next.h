/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function that stands behind one of the agent's: the next of its name, as the dynamic loader
 * finds it. The loader takes its lock, so who may come here from a signal handler asks before, in a
 * constructor; tests/agent-rule says of each who does, and why it may.
 */
#ifndef VIGIL_AGENT_AGENT_NEXT_H
#define VIGIL_AGENT_AGENT_NEXT_H

#include "agent/agent.h"

#include <dlfcn.h>

/* A pointer to a function, whatever its type. */
typedef void *agent_any_function __attribute__((may_alias));

/*
 * Set *function, a pointer to a function, to what stands behind this library by a name, unless it is
 * set. Returns it; NULL: there is none, *function stays as it is, and it is asked for again the next
 * time. Several threads may come here at once, also with what finds it elsewhere.
 */
static inline void *agent_next(void *function, const char *name)
{
	agent_any_function *place = function;
	void *found = __atomic_load_n(place, __ATOMIC_RELAXED);

	if (!found) {
		found = dlsym(RTLD_NEXT, name);
		if (found)
			__atomic_store_n(place, found, __ATOMIC_RELAXED);
	}
	return found;
}

#endif
