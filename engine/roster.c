/* SPDX-License-Identifier: Apache-2.0 */
/* Determines which modules take part in an operation, and their order. */
#include "common/compat.h"
#include "engine/roster.h"
#include "common/xalloc.h"

void roster_init(struct roster *roster)
{
	memset(roster, 0, sizeof(*roster));
}

void roster_release(struct roster *roster)
{
	for (size_t i = 0; i < roster->count; i++) {
		free(roster->all[i]->types);
		free(roster->all[i]->reason);
		free(roster->all[i]);
	}
	free(roster->all);
	free(roster->order);
	roster_init(roster);
}

struct module *roster_find(const struct roster *roster, const char *name)
{
	for (size_t i = 0; i < roster->count; i++)
		if (strcmp(roster->all[i]->class->name, name) == 0)
			return roster->all[i];
	return NULL;
}

/* Returns whether a module of these capabilities is a supporter only. */
static bool is_pure_supporter(unsigned capabilities)
{
	return !(capabilities & ~(unsigned)(MODULE_SUPPORTER | MODULE_GROUPER));
}

/* Checks that a class requests only points that fit its capabilities. */
static int check_points(const struct module_class *class, struct error *err)
{
	const unsigned snapshots = 1U << SYNC_SNAPSHOT | 1U << SYNC_SNAPSHOT_END;

	if (class->sync_points & 1U << SYNC_PRE_BASELINE &&
	    !(class->capabilities & (MODULE_TIMER | MODULE_MONITOR)))
		return error_set(err,
				 "module %s is neither a timer nor a monitor: only these are "
				 "called before the first snapshot",
				 class->name);
	if (class->sync_points & snapshots && is_pure_supporter(class->capabilities))
		return error_set(err,
				 "module %s is a supporter: supporters are not called at snapshots",
				 class->name);
	if (class->capabilities & MODULE_TIMER && !class->due)
		return error_set(err, "timer %s does not determine when a snapshot is due",
				 class->name);
	return 0;
}

struct module *roster_add(struct roster *roster, struct engine *engine,
			  const struct module_class *class, void *context, struct error *err)
{
	size_t length = strlen(class->name);
	struct module *module;

	if (length == 0 || length > 31) {
		error_set(err, "module name \"%s\" does not have 1 to 31 characters", class->name);
		return NULL;
	}
	if (roster_find(roster, class->name)) {
		error_set(err, "module %s already exists", class->name);
		return NULL;
	}
	RETURN_IF(check_points(class, err) < 0, NULL);
	module = xcalloc(1, sizeof(*module));
	module->class = class;
	module->engine = engine;
	module->context = context;
	module->capabilities = class->capabilities;
	GROW(roster->all, roster->count + 1, roster->alloc);
	roster->all[roster->count++] = module;
	return module;
}

/* Returns the name without the mark '?' for an optional module. */
static const char *plain_name(const char *name)
{
	return *name == '?' ? name + 1 : name;
}

bool roster_depends(const struct module *module, const struct module *other)
{
	const char *const *name = module->class->after;

	while (name && *name && strcmp(plain_name(*name), other->class->name) != 0)
		name++;
	return name && *name;
}

enum module_group roster_group(const struct module *module)
{
	unsigned capabilities = module->capabilities;

	if (capabilities & MODULE_TIMER)
		return GROUP_TIMER;
	if (capabilities & (MODULE_PRODUCER | MODULE_EXTRACTOR))
		return GROUP_PRODUCER;
	if (capabilities & MODULE_FILTER)
		return GROUP_FILTER;
	if (capabilities & MODULE_CONSUMER)
		return GROUP_CONSUMER;
	if (capabilities & MODULE_MONITOR)
		return GROUP_MONITOR;
	return capabilities & MODULE_SUPPORTER ? GROUP_SUPPORTER : GROUP_NONE;
}

/* Returns the group in which a module is initialized: supporters first, whatever else they do. */
static enum module_group start_group(const struct module *module)
{
	return module->capabilities & MODULE_SUPPORTER ? GROUP_SUPPORTER : roster_group(module);
}

/* Enables the members of groupers, and of groupers among them, until none is added. */
static int enable_members(struct roster *roster, struct error *err)
{
	bool added = true;

	while (added) {
		added = false;
		for (size_t i = 0; i < roster->count; i++) {
			const struct module *group = roster->all[i];
			const char *const *name = group->enabled ? group->class->members : NULL;

			for (; name && *name; name++) {
				struct module *member = roster_find(roster, plain_name(*name));

				if (!member && **name != '?') {
					roster->culprit = group;
					return error_set(
						err,
						"group %s names module %s, which does not exist",
						group->class->name, *name);
				}
				added = added || (member && !member->enabled);
				if (member)
					member->enabled = true;
			}
		}
	}
	return 0;
}

/* Sets the capabilities of a module that apply in an operation. */
static void set_capabilities(struct module *module, enum operation operation)
{
	unsigned idle = operation == OPERATION_COLLECTION  ? MODULE_EXTRACTOR
			: module->class->times_extractions ? MODULE_PRODUCER
							   : MODULE_PRODUCER | MODULE_TIMER;

	module->capabilities = module->class->capabilities & ~(idle | MODULE_GROUPER);
	/* A supporter that only serves its producer or extractor part is idle with it. */
	if (module->class->capabilities & idle && module->capabilities == MODULE_SUPPORTER)
		module->capabilities = 0;
}

/* Registers the record types of a producer. */
static int register_types(struct module *module, struct registry *types, struct error *err)
{
	const struct record_type *const *produces = module->class->produces;
	size_t count = 0;

	while (produces && produces[count])
		count++;
	free(module->types);
	module->types = xcalloc(count + 1, sizeof(*module->types));
	for (size_t i = 0; i < count; i++) {
		module->types[i] = registry_add(types, produces[i], err);
		if (!module->types[i])
			return error_prefix(err, "module %s", module->class->name);
	}
	return 0;
}

/*
 * Finds the first and the last snapshot point at which a module is called. Returns
 * false when there is none.
 */
static bool snapshot_points(const struct module *module, enum sync_point *first,
			    enum sync_point *last)
{
	unsigned points = module->class->sync_points;
	bool early = points & 1U << SYNC_SNAPSHOT, late = points & 1U << SYNC_SNAPSHOT_END;

	*first = early ? SYNC_SNAPSHOT : SYNC_SNAPSHOT_END;
	*last = late ? SYNC_SNAPSHOT_END : SYNC_SNAPSHOT;
	return early || late;
}

/* Returns whether other comes after module: in initialization, or in all of its calls. */
static bool comes_later(const struct module *other, const struct module *module)
{
	enum sync_point first, last, other_first, other_last;

	if (start_group(module) == GROUP_SUPPORTER && start_group(other) != GROUP_SUPPORTER)
		return true;
	if (snapshot_points(module, &first, &last) &&
	    snapshot_points(other, &other_first, &other_last)) {
		if (other_first > last)
			return true;
		if (other_last < first)
			return false;
	}
	return roster_group(other) > roster_group(module);
}

/* Checks that the modules on which a module depends exist, and are called before it. */
static int check_dependencies(const struct roster *roster, const struct module *module,
			      struct error *err)
{
	for (const char *const *name = module->class->after; name && *name; name++) {
		const struct module *other = roster_find(roster, plain_name(*name));

		if (!other || !other->enabled) {
			if (**name == '?')
				continue;
			return error_set(err,
					 "module %s depends on module %s, which does not exist",
					 module->class->name, *name);
		}
		if (other->capabilities && comes_later(other, module))
			return error_set(err,
					 "module %s depends on module %s, which is of a type that "
					 "is called later",
					 module->class->name, other->class->name);
	}
	return 0;
}

/* Returns whether a module takes part and has not been placed in the order yet. */
static bool is_waiting(const struct roster *roster, const bool *placed, size_t number)
{
	return roster->all[number]->enabled && roster->all[number]->capabilities && !placed[number];
}

/* Returns whether module waits for one that is not placed yet. */
static bool is_held_up(const struct roster *roster, const bool *placed, const struct module *module)
{
	for (size_t i = 0; i < roster->count; i++)
		if (is_waiting(roster, placed, i) && roster_depends(module, roster->all[i]))
			return true;
	return false;
}

/*
 * Returns the first module, in the order of adding, of a group that can be placed
 * next; count when there is none.
 */
static size_t next_in_group(const struct roster *roster, const bool *placed,
			    enum module_group group)
{
	size_t i = 0;

	while (i < roster->count &&
	       (!is_waiting(roster, placed, i) || start_group(roster->all[i]) != group ||
		is_held_up(roster, placed, roster->all[i])))
		i++;
	return i;
}

/*
 * Returns the next module: of the lowest group that has one. A later group goes
 * first only where a dependency needs it.
 */
static size_t next_module(const struct roster *roster, const bool *placed)
{
	size_t next = roster->count;

	for (enum module_group group = GROUP_SUPPORTER;
	     group <= GROUP_MONITOR && next == roster->count; group++)
		next = next_in_group(roster, placed, group);
	return next;
}

/* Sorts the modules that take part; a cycle of dependencies is an error. */
static int put_in_order(struct roster *roster, struct error *err)
{
	bool *placed = xcalloc(roster->count + 1, sizeof(*placed));
	const struct module *left = NULL;

	roster->order = xreallocarray(roster->order, roster->count + 1, sizeof(*roster->order));
	roster->order_count = 0;
	for (size_t next; (next = next_module(roster, placed)) < roster->count;) {
		placed[next] = true;
		roster->order[roster->order_count++] = roster->all[next];
	}
	for (size_t i = roster->count; i-- > 0;)
		if (is_waiting(roster, placed, i))
			left = roster->all[i];
	free(placed);
	roster->culprit = left;
	if (left)
		return error_set(err, "module %s depends on itself, directly or through others",
				 left->class->name);
	return 0;
}

int roster_prepare(struct roster *roster, enum operation operation, struct registry *types,
		   struct error *err)
{
	roster->culprit = NULL;
	RETURN_IF(enable_members(roster, err) < 0, -1);
	for (size_t i = 0; i < roster->count; i++) {
		roster->culprit = roster->all[i];
		set_capabilities(roster->all[i], operation);
		if (roster->all[i]->enabled)
			RETURN_IF(register_types(roster->all[i], types, err) < 0, -1);
	}
	for (size_t i = 0; i < roster->count; i++) {
		roster->culprit = roster->all[i];
		if (roster->all[i]->enabled && roster->all[i]->capabilities)
			RETURN_IF(check_dependencies(roster, roster->all[i], err) < 0, -1);
	}
	return put_in_order(roster, err);
}
