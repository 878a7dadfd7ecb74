/* SPDX-License-Identifier: Apache-2.0 */
/* A live consumer: writes each number of each record, as it arrives, to the file that EXAMPLE_LIST
   names. It works in the same way in a collection and in an extraction.
   cc -shared -fPIC -o live-consumer.so live-consumer.c $(pkg-config --cflags vigil-engine) */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vigil/module.h>

/* Writes one value as its field describes it; "-" if it is missing. */
static void write_value(FILE *file, const struct vigil_field *field, const void *member)
{
	static const unsigned char sizes[] = { 8, 8, 8, 1, 2, 4, 1, 2, 4, 8 };
	uint64_t bits = 0, all = UINT64_MAX >> (64 - 8 * sizes[field->type]);
	int is_missing = 0;
	double real;

	memcpy(&bits, member, sizes[field->type]);
	memcpy(&real, member, sizeof(real) <= sizes[field->type] ? sizeof(real) : 0);
	if (field->flags & VIGIL_FIELD_OPTIONAL)
		is_missing = field->type == VIGIL_DOUBLE ? isnan(real) : bits == all;
	if (is_missing)
		fprintf(file, " %s=-", field->name);
	else if (field->type == VIGIL_DOUBLE)
		fprintf(file, " %s=%g", field->name, real);
	else
		fprintf(file, " %s=%" PRIu64, field->name, bits);
}

static void write_set(FILE *file, const struct vigil_snapshot *snapshot, const struct vigil_set *set)
{
	for (uint64_t i = 0; i < set->count; i++) {
		fprintf(file, "%" PRIu64 " %s", snapshot->sequence, set->type->name);
		for (uint32_t f = 0; f < set->type->field_count; f++)
			write_value(file, &set->type->fields[f],
				    (const char *)set->records[i] + set->type->fields[f].offset);
		fputc('\n', file);
	}
}

static int start(struct vigil_global *global, struct vigil_private *mine)
{
	const char *path = getenv("EXAMPLE_LIST");

	mine->own = path ? fopen(path, "w") : NULL;
	return mine->own ? VIGIL_OK : vigil_error(global, mine,
						  "EXAMPLE_LIST does not name a file");
}

static int call(struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set)
{
	const struct vigil_snapshot *snapshot = global->current;

	(void)set;
	switch (global->what) {
	case VIGIL_LOAD:
		mine->capabilities = VIGIL_CONSUMER;
		mine->sync_points = VIGIL_AT_SNAPSHOT_END;
		return VIGIL_OK;
	case VIGIL_START:
		return start(global, mine);
	case VIGIL_SNAPSHOT_END:
		for (uint64_t i = 0; i < snapshot->set_count; i++)
			write_set(mine->own, snapshot, snapshot->sets[i]);
		fflush(mine->own);
		return VIGIL_OK;
	case VIGIL_END:
		fclose(mine->own);
		return VIGIL_OK;
	default:
		return VIGIL_OK;
	}
}

static const struct vigil_module module = {
	sizeof(module), VIGIL_MODULE_VERSION, "EXAMPLE.LIST", "writes records as they arrive", call,
	NULL,
};
VIGIL_MODULES(&module);
