/* SPDX-License-Identifier: Apache-2.0 */
/* A monitor: reports when an item passes a bound, and when it returns. What to watch is its
   parameter: vigil collect -m ./limit-monitor.so='mem.available<1e9'
   cc -shared -fPIC -o limit-monitor.so limit-monitor.c $(pkg-config --cflags vigil-engine) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vigil/module.h>

struct watch {
	char record[64], item[64], sign[2];
	double bound;
	int beyond;
};

/* Returns the value of a field in a record; NAN: it is missing or no number. */
static double value_of(const struct vigil_prefix *record, const struct vigil_field *field)
{
	const char *at = (const char *)record + field->offset;
	uint64_t number = 0;
	uint32_t size = field->type == VIGIL_U8	   ? 1
			: field->type == VIGIL_U16 ? 2
			: field->type == VIGIL_U32 ? 4
						   : 8;
	double real;

	if (field->type == VIGIL_DOUBLE)
		return memcpy(&real, at, sizeof(real)), real;
	memcpy(&number, at, size);
	if (field->type == VIGIL_TEXT || (field->type >= VIGIL_I8 && field->type <= VIGIL_I32) ||
	    (field->flags & VIGIL_FIELD_OPTIONAL && number == UINT64_MAX >> (64 - 8 * size)))
		return __builtin_nan("");
	return field->type == VIGIL_SIGNED ? (double)(int64_t)number : (double)number;
}

/* Checks whether any record is beyond the bound, and reports a change. */
static int look(struct vigil_global *global, struct vigil_private *mine)
{
	struct watch *watch = mine->own;
	const struct vigil_set *set = vigil_set_of(global->current, watch->record);
	double found = __builtin_nan("");
	int beyond = 0;

	for (uint32_t i = 0; set && i < set->type->field_count; i++)
		for (uint64_t k = 0; k < set->count && !beyond; k++) {
			if (strcmp(set->type->fields[i].name, watch->item) != 0)
				continue;
			found = value_of(set->records[k], &set->type->fields[i]);
			beyond =
				watch->sign[0] == '<' ? found < watch->bound : found > watch->bound;
		}
	if (found != found || beyond == watch->beyond)
		return VIGIL_OK;
	watch->beyond = beyond;
	if (beyond)
		vigil_warning(global, mine, "%s.%s is %g: %s %g", watch->record, watch->item, found,
			      watch->sign[0] == '<' ? "below" : "above", watch->bound);
	else
		vigil_info(global, mine, "%s.%s is %g again", watch->record, watch->item, found);
	return VIGIL_OK;
}

static int start(struct vigil_global *global, struct vigil_private *mine)
{
	struct watch *watch = mine->own = calloc(1, sizeof(*watch));

	if (watch && sscanf(mine->parameter, "%63[^.].%63[^<>]%1[<>]%lf", watch->record,
			    watch->item, watch->sign, &watch->bound) == 4)
		return VIGIL_OK;
	return vigil_error(global, mine, "'%s' is not RECORD.ITEM<BOUND or RECORD.ITEM>BOUND",
			   mine->parameter);
}

static int call(struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set)
{
	(void)set;
	switch (global->what) {
	case VIGIL_LOAD:
		mine->capabilities = VIGIL_MONITOR;
		mine->sync_points = VIGIL_AT_SNAPSHOT_END;
		return VIGIL_OK;
	case VIGIL_START:
		return start(global, mine);
	case VIGIL_SNAPSHOT_END:
		return look(global, mine);
	case VIGIL_END:
		free(mine->own);
	}
	return VIGIL_OK;
}

static const struct vigil_module module = { sizeof(module),
					    VIGIL_MODULE_VERSION,
					    "EXAMPLE.LIMIT",
					    "reports when an item passes a bound",
					    call,
					    NULL };
VIGIL_MODULES(&module);
