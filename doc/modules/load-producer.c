/* SPDX-License-Identifier: Apache-2.0 */
/* A producer: the number of tasks that are running or ready, from /proc/loadavg.
   cc -shared -fPIC -o load-producer.so load-producer.c $(pkg-config --cflags vigil-engine) */
#include <stdio.h>
#include <stdlib.h>
#include <vigil/module.h>

/* A record begins with the prefix; the rest belongs to the module. */
struct load {
	struct vigil_prefix prefix;
	double average;	   /* over the last minute */
	uint32_t runnable; /* tasks at the moment */
	uint32_t tasks;
};

static const struct vigil_field fields[] = {
	{ "average", VIGIL_DOUBLE, VIGIL_LEVEL, 0, offsetof(struct load, average), "tasks",
	  "tasks that execute, are ready to or wait for a disk, mean of a minute" },
	{ "runnable", VIGIL_U32, VIGIL_LEVEL, VIGIL_FIELD_OPTIONAL, offsetof(struct load, runnable),
	  "count", "tasks that execute or are ready to" },
	{ "tasks", VIGIL_U32, VIGIL_LEVEL, VIGIL_FIELD_OPTIONAL, offsetof(struct load, tasks),
	  "count", "number of tasks" },
};
static const struct vigil_record_type type = {
	"example_load", "the load of the machine", sizeof(struct load), sizeof(struct vigil_field),
	3, 0, fields,
};

/* Describes this module. */
static int load(struct vigil_private *mine)
{
	static const char *const needs[] = { "/proc/loadavg", NULL };

	mine->capabilities = VIGIL_PRODUCER;
	mine->sync_points = VIGIL_AT_SNAPSHOT;
	mine->type = &type;
	mine->needs = needs;
	return VIGIL_OK;
}

/* Opens the file once; if that fails, the engine continues without this module. */
static int start(struct vigil_global *global, struct vigil_private *mine)
{
	mine->own = fopen("/proc/loadavg", "r");
	return mine->own ? VIGIL_OK : vigil_error(global, mine, "/proc/loadavg cannot be opened");
}

static int add_record(struct vigil_global *global, struct vigil_private *mine)
{
	struct load record;
	FILE *file = mine->own;
	uint32_t flags = 0;

	rewind(file);
	/* A value that cannot be read is missing, never 0. */
	record.runnable = record.tasks = UINT32_MAX;
	switch (fscanf(file, "%lf %*f %*f %u/%u", &record.average, &record.runnable,
		       &record.tasks)) {
	case 3:
		break;
	case 1:
	case 2:
		flags = VIGIL_RECORD_PARTIAL;
		break;
	default:
		return vigil_error(global, mine, "/proc/loadavg does not begin with a number");
	}
	return vigil_add(global, mine, &record, flags);
}

static int call(struct vigil_global *global, struct vigil_private *mine,
		const struct vigil_set *set)
{
	(void)set;
	switch (global->what) {
	case VIGIL_LOAD:
		return load(mine);
	case VIGIL_START:
		return start(global, mine);
	case VIGIL_SNAPSHOT:
		return add_record(global, mine);
	case VIGIL_END:
		fclose(mine->own);
		return VIGIL_OK;
	default:
		return VIGIL_OK;
	}
}

static const struct vigil_module module = {
	sizeof(module), VIGIL_MODULE_VERSION, "EXAMPLE.LOAD", "the load of the machine", call, NULL,
};
VIGIL_MODULES(&module);
