/* SPDX-License-Identifier: Apache-2.0 */
/* The modules of an engine: all of them, those that take part, and their order. */
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
	GROUP_NONE, /* groupers, and modules with no part in the operation */
};

struct roster {
	struct module **all; /* in the order of adding; owned */
	size_t count, alloc;
	struct module **order; /* those that take part, in calling order */
	size_t order_count;
	const struct module *culprit; /* the module for which roster_prepare failed; NULL: no
				       * single one */
};

void roster_init(struct roster *roster);
void roster_release(struct roster *roster);
/*
 * Adds a module, enabled or not. Returns NULL with err when its class is invalid
 * or its name in use.
 */
struct module *roster_add(struct roster *roster, struct engine *engine,
			  const struct module_class *class, void *context, struct error *err);
struct module *roster_find(const struct roster *roster, const char *name);
/*
 * Determines the modules that take part in an operation: enables members of
 * groupers, registers record types, sets capabilities, and sorts the modules.
 */
int roster_prepare(struct roster *roster, enum operation operation, struct registry *types,
		   struct error *err);
/* Returns the group in which a module is called at points, with its present capabilities. */
enum module_group roster_group(const struct module *module);
/* Returns whether module names other in "after". */
bool roster_depends(const struct module *module, const struct module *other);

#endif
