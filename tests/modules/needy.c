/* SPDX-License-Identifier: Apache-2.0 */
/* A producer that needs a file that does not exist, and one that follows it. */
#include <stddef.h>
#include <vigil/module.h>

struct need {
	struct vigil_prefix prefix;
	uint64_t number;
};
static const struct vigil_field fields[] = {
	{ "number", VIGIL_UNSIGNED, VIGIL_COUNTER, 0, offsetof(struct need, number), "count",
	  "calls" },
};
#define TYPE(name) \
	{ \
		name, "a need", sizeof(struct need), sizeof(fields[0]), 1, 0, fields \
	}
static const struct vigil_record_type needy_type = TYPE("needy"), after_type = TYPE("after_needy");

static int call_needy(struct vigil_global *global, struct vigil_private *mine,
		      const struct vigil_set *set)
{
	static const char *const needs[] = { "/nonexistent/key", NULL };

	(void)set;
	if (global->what == VIGIL_LOAD) {
		mine->capabilities = VIGIL_PRODUCER;
		mine->sync_points = VIGIL_AT_SNAPSHOT;
		mine->type = &needy_type;
		mine->needs = needs;
	}
	return VIGIL_OK;
}

static int call_after(struct vigil_global *global, struct vigil_private *mine,
		      const struct vigil_set *set)
{
	static const char *const after[] = { "NEEDY", NULL };
	struct need record = { .number = 1 };

	(void)set;
	switch (global->what) {
	case VIGIL_LOAD:
		mine->capabilities = VIGIL_PRODUCER;
		mine->sync_points = VIGIL_AT_SNAPSHOT;
		mine->type = &after_type;
		mine->after = after;
		return VIGIL_OK;
	case VIGIL_LOST:
		vigil_info(global, mine, "goes on without %s", mine->lost->name);
		return VIGIL_OK;
	case VIGIL_SNAPSHOT:
		return vigil_add(global, mine, &record, 0);
	}
	return VIGIL_OK;
}

static const struct vigil_module needy = { sizeof(needy), VIGIL_MODULE_VERSION, "NEEDY",
					   "needs a key", call_needy,		0 };
static const struct vigil_module after = { sizeof(after),    VIGIL_MODULE_VERSION, "NEEDY.AFTER",
					   "comes after it", call_after,	   0 };
VIGIL_MODULES(&needy, &after);
