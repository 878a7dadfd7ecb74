/* SPDX-License-Identifier: Apache-2.0 */
/* The modules of an engine: who is there, who takes part, and in what order. */
#ifndef VIGIL_ENGINE_ROSTER_H
#define VIGIL_ENGINE_ROSTER_H

#include "engine/module.h"

/* The groups in which modules are called at a point. */
enum module_group {
	GROUP_SUPPORTER,
	GROUP_TIMER,
	GROUP_PRODUCER,
	GROUP_FILTER,
	GROUP_CONSUMER,
	GROUP_MONITOR,
	GROUP_NONE, /* groupers, and who has no part in the operation */
};

struct roster {
	struct module **all; /* in the order they came; owned */
	size_t count, alloc;
	struct module **order; /* those that take part, in calling order */
	size_t order_count;
	const struct module *culprit; /* for which roster_prepare failed; NULL: nobody's fault */
};

void roster_init(struct roster *roster);
void roster_release(struct roster *roster);
/* Takes in a module, enabled or not. NULL with err when its class is wrong or its name taken. */
struct module *roster_add(struct roster *roster, struct engine *engine,
			  const struct module_class *class, void *context, struct error *err);
struct module *roster_find(const struct roster *roster, const char *name);
/*
 * Settles who takes part in an operation: members of groupers are enabled, record
 * types registered, capabilities set, and the order worked out.
 */
int roster_prepare(struct roster *roster, enum operation operation, struct registry *types,
		   struct error *err);
/* The group in which a module is called at points, with the capabilities it has now. */
enum module_group roster_group(const struct module *module);
/* Returns whether module names other in "after". */
bool roster_depends(const struct module *module, const struct module *other);

#endif
