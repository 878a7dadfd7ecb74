/* SPDX-License-Identifier: Apache-2.0 */
/* A filter: discards records of EXAMPLE.LOAD whose load is below a limit.
   cc -shared -fPIC -o idle-filter.so idle-filter.c $(pkg-config --cflags vigil-engine) */
#include <stdlib.h>
#include <vigil/module.h>

/* Returns the offset of a field, by its name, in the records of a set; -1: there is none. */
static long offset_of(const struct vigil_set *set, const char *name, uint32_t field_type)
{
	for (uint32_t i = 0; i < set->type->field_count; i++) {
		const struct vigil_field *field = &set->type->fields[i];
		const char *a = field->name, *b = name;

		while (*a && *a == *b)
			a++, b++;
		if (*a == *b && field->type == field_type)
			return field->offset;
	}
	return -1;
}

static int filter(struct vigil_global *global, struct vigil_private *mine)
{
	const struct vigil_set *set = vigil_set_of(global->current, "example_load");
	const char *limit = getenv("EXAMPLE_LIMIT");
	long offset = set ? offset_of(set, "average", VIGIL_DOUBLE) : -1;

	for (uint64_t i = 0; offset >= 0 && i < set->count; i++) {
		const double *average =
			(const double *)((const char *)set->records[i] + offset);

		if (*average < atof(limit ? limit : "0.5"))
			global->services->discard(global, mine, set, i);
	}
	return VIGIL_OK;
}

static int call(struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set)
{
	static const char *const after[] = { "?EXAMPLE.LOAD", NULL };

	(void)set;
	switch (global->what) {
	case VIGIL_LOAD:
		mine->capabilities = VIGIL_FILTER;
		mine->sync_points = VIGIL_AT_SNAPSHOT_END;
		mine->after = after;
		return VIGIL_OK;
	case VIGIL_SNAPSHOT_END:
		return filter(global, mine);
	case VIGIL_LOST:
		return VIGIL_NOTHING_TO_DO;
	default:
		return VIGIL_OK;
	}
}

static const struct vigil_module module = {
	sizeof(module), VIGIL_MODULE_VERSION, "EXAMPLE.IDLE", "leaves out records of low load", call,
	NULL,
};
VIGIL_MODULES(&module);
