/* SPDX-License-Identifier: Apache-2.0 */
/* The modules of bench-apart: a producer of BENCH_RECORDS records, and a reader of them. */
#include "common/compat.h"
#include "vigil/module.h"

struct wide {
	struct vigil_prefix prefix;
	uint64_t values[28]; /* about the size of a process record */
};
static const struct vigil_field fields[] = {
	{ "first", VIGIL_UNSIGNED, VIGIL_COUNTER, 0, offsetof(struct wide, values), "count", "" },
	{ "last", VIGIL_UNSIGNED, VIGIL_COUNTER, 0, offsetof(struct wide, values[27]), "count",
	  "" },
};
static const struct vigil_record_type type = {
	"wide", "", sizeof(struct wide), sizeof(struct vigil_field), 2, 0, fields
};

static uint32_t options(void)
{
	return getenv("BENCH_TOGETHER") ? VIGIL_TOGETHER : 0;
}

static int produce(struct vigil_global *global, struct vigil_private *mine,
		   const struct vigil_set *set UNUSED)
{
	const char *count = getenv("BENCH_RECORDS");
	struct wide record = { .values = { 1 } };

	if (global->what == VIGIL_LOAD) {
		mine->capabilities = VIGIL_PRODUCER;
		mine->sync_points = VIGIL_AT_SNAPSHOT;
		mine->options = options();
		mine->type = &type;
	}
	for (int i = 0; global->what == VIGIL_SNAPSHOT && i < atoi(count ? count : "1"); i++)
		vigil_add(global, mine, &record, 0);
	return VIGIL_OK;
}

static int consume(struct vigil_global *global, struct vigil_private *mine,
		   const struct vigil_set *set UNUSED)
{
	if (global->what == VIGIL_LOAD) {
		mine->capabilities = VIGIL_CONSUMER;
		mine->sync_points = VIGIL_AT_SNAPSHOT_END;
		mine->options = options();
	}
	return VIGIL_OK;
}

static const struct vigil_module producer = { sizeof(producer), VIGIL_MODULE_VERSION,
					      "PRODUCE",	"",
					      produce,		NULL };
static const struct vigil_module consumer = { sizeof(consumer), VIGIL_MODULE_VERSION,
					      "CONSUME",	"",
					      consume,		NULL };
VIGIL_MODULES(&producer, &consumer);
