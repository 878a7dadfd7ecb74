/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the next function of a name after the agent's own, as the dynamic loader
 * orders them. dlsym takes the loader's lock, so code that may run in a signal
 * handler must look up in a constructor first; tests/agent-rule lists each caller
 * and why its use is safe.
 */
#ifndef VIGIL_AGENT_AGENT_NEXT_H
#define VIGIL_AGENT_AGENT_NEXT_H

#include "agent/agent.h"

#include <dlfcn.h>

/* A pointer to any function. */
typedef void *agent_any_function __attribute__((may_alias));

/*
 * Sets *function, a pointer to a function, to the next function of a name after
 * this library's, unless it is set already. Returns it; NULL: there is none,
 * *function is unchanged, and the next call looks again. Several threads may call
 * this at once, also together with other code that sets *function.
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
