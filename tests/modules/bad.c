/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Producers that fail in their second snapshot, each in a different way, and one
 * that does not fail.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vigil/module.h>

struct beat {
	struct vigil_prefix prefix;
	uint64_t number;
	uint64_t text;
};
#define FIELDS \
	{ \
		{ "number", VIGIL_UNSIGNED, VIGIL_COUNTER, 0, offsetof(struct beat, number), \
		  "count",  "calls" }, \
		{ \
			"text", VIGIL_TEXT, VIGIL_IDENTITY, 0, offsetof(struct beat, text), \
				"name", "said" \
		} \
	}
static const struct vigil_field fields[] = FIELDS;

static int beat(struct vigil_global *global, struct vigil_private *mine, const char *text)
{
	struct beat record = { .number = ++*(uint64_t *)mine->own };

	record.text = global->services->text_put(global, text);
	return vigil_add(global, mine, &record, 0);
}

static int go_wrong(struct vigil_global *global, struct vigil_private *mine)
{
	if (strcmp(mine->name, "BAD.CRASH") == 0)
		*(volatile int *)8 = 1;
	if (strcmp(mine->name, "BAD.ABORT") == 0)
		abort();
	if (strcmp(mine->name, "BAD.EXIT") == 0)
		exit(3);
	if (strcmp(mine->name, "BAD.HANG") == 0)
		for (;;)
			pause();
	if (strcmp(mine->name, "BAD.RUBBISH") == 0)
		return 4711;
	if (strcmp(mine->name, "BAD.ERROR") == 0)
		return vigil_error(global, mine, "the tape is torn");
	return VIGIL_OK;
}

/* a module that follows BAD.CRASH reports if that was lost */
static int lose(struct vigil_global *global, struct vigil_private *mine)
{
	vigil_warning(global, mine, "lost %s", mine->lost->name);
	return VIGIL_OK;
}

static int serve(struct vigil_global *global, struct vigil_private *mine,
		 const struct vigil_record_type *type)
{
	static const char *const after[] = { "BAD.CRASH", NULL };

	switch (global->what) {
	case VIGIL_LOAD:
		mine->capabilities = VIGIL_PRODUCER;
		mine->sync_points = VIGIL_AT_SNAPSHOT;
		mine->type = type;
		if (strcmp(mine->name, "BAD.AFTER") == 0)
			mine->after = after;
		return VIGIL_OK;
	case VIGIL_START:
		mine->own = calloc(1, sizeof(uint64_t));
		return VIGIL_OK;
	case VIGIL_SNAPSHOT:
		beat(global, mine, mine->name);
		return *(uint64_t *)mine->own == 2 ? go_wrong(global, mine) : VIGIL_OK;
	case VIGIL_LOST:
		return lose(global, mine);
	default:
		return VIGIL_OK;
	}
}

#define BAD(id, title, type_name) \
	static const struct vigil_record_type type_##id = { \
		type_name, "a call", sizeof(struct beat), sizeof(struct vigil_field), 2, 0, fields \
	}; \
	static int call_##id(struct vigil_global *global, struct vigil_private *mine, \
			     const struct vigil_set *set) \
	{ \
		(void)set; \
		return serve(global, mine, &type_##id); \
	} \
	static const struct vigil_module module_##id = { \
		sizeof(module_##id), VIGIL_MODULE_VERSION, title, "", call_##id, 0 \
	}

BAD(crash, "BAD.CRASH", "bad_crash");
BAD(abort, "BAD.ABORT", "bad_abort");
BAD(exit, "BAD.EXIT", "bad_exit");
BAD(hang, "BAD.HANG", "bad_hang");
BAD(rubbish, "BAD.RUBBISH", "bad_rubbish");
BAD(error, "BAD.ERROR", "bad_error");
BAD(after, "BAD.AFTER", "bad_after");
BAD(good, "GOOD", "good");
VIGIL_MODULES(&module_crash, &module_abort, &module_exit, &module_hang, &module_rubbish,
	      &module_error, &module_after, &module_good);
