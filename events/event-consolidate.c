/* SPDX-License-Identifier: Apache-2.0 */
/* Turns events into sums, as a filter. */
#include "common/compat.h"
#include "events/event-consolidate.h"
#include "records/record-types.h"

void event_consolidate_init(struct event_consolidate *consolidate)
{
	consolidate->events = consolidate->made = 0;
	event_sums_init(&consolidate->sums);
}

void event_consolidate_release(struct event_consolidate *consolidate)
{
	event_sums_release(&consolidate->sums);
}

/* Returns the number of events in a snapshot. */
static uint64_t count_events(const struct snapshot *snapshot)
{
	const struct recordset *runs = snapshot_records(snapshot, RECORD_EVENT_RUN);
	uint64_t count = snapshot_records(snapshot, RECORD_EVENT)->count;

	for (size_t i = 0; i < runs->count; i++)
		count += ((const struct record_event_run *)recordset_get(runs, i))->count;
	return count;
}

void event_consolidate_apply(struct event_consolidate *consolidate, struct snapshot *snapshot)
{
	const uint64_t events = count_events(snapshot);

	consolidate->events += events;
	event_sums_take(&consolidate->sums, snapshot);
	consolidate->made = consolidate->sums.count;
	if (consolidate->drop && events) {
		recordset_clear(snapshot_set(snapshot, RECORD_EVENT));
		recordset_clear(snapshot_set(snapshot, RECORD_EVENT_RUN));
	}
	if (consolidate->at_end && snapshot_records(snapshot, RECORD_EVENT_SUM)->count)
		recordset_clear(snapshot_set(snapshot, RECORD_EVENT_SUM));
	if (consolidate->at_end ? snapshot->last : events && !consolidate->sums.given)
		event_sums_put_changed(&consolidate->sums,
				       snapshot_set(snapshot, RECORD_EVENT_SUM));
}

static enum module_status consolidate_init(struct module *module, struct error *err UNUSED)
{
	event_consolidate_init(module->context);
	return MODULE_OK;
}

static enum module_status consolidate_call(struct module *module, enum sync_point point UNUSED,
					   struct snapshot *snapshot, struct error *err UNUSED)
{
	event_consolidate_apply(module->context, snapshot);
	return MODULE_OK;
}

static void consolidate_end(struct module *module)
{
	event_consolidate_release(module->context);
}

const struct module_class event_consolidate_class = {
	.name = "EVENT.CONSOLIDATION",
	.summary = "sums up events by site and transaction",
	.capabilities = MODULE_FILTER,
	.sync_points = 1U << SYNC_SNAPSHOT_END,
	.after = (const char *const[]){ "?EVENT.SAMPLING", "?EVENT.ONLINE", "?EVENT.TRACE", NULL },
	.init = consolidate_init,
	.call = consolidate_call,
	.end = consolidate_end,
};
