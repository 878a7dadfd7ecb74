/* SPDX-License-Identifier: Apache-2.0 */
/* A filter that passes only the snapshots in a range of time. */
#include "common/compat.h"
#include "metrics/outputs.h"

uint64_t time_range_place(const struct snapshot *snapshot)
{
	return snapshot->wall ? snapshot->wall : snapshot->time;
}

/* Empties a snapshot outside the range. */
static enum module_status range_call(struct module *module, enum sync_point point UNUSED,
				     struct snapshot *snapshot, struct error *err UNUSED)
{
	struct time_range *range = module->context;
	uint64_t place = time_range_place(snapshot);

	if (snapshot_is_empty(snapshot) && !snapshot->passed_over)
		return MODULE_OK;
	if (place < range->from || place > range->to) {
		for (size_t id = 0; id < snapshot->set_count; id++)
			if (snapshot->sets[id])
				recordset_clear(snapshot->sets[id]);
		return MODULE_OK;
	}
	range->passed++;
	selection_mark(range->selection, snapshot);
	return MODULE_OK;
}

const struct module_class time_range_class = {
	.name = "TIME.RANGE",
	.summary = "selects the snapshots of a time range",
	.capabilities = MODULE_FILTER,
	.sync_points = 1U << SYNC_SNAPSHOT,
	.call = range_call,
};
