/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the monitor's side of events for a unit test. */
#include "common/compat.h"
#include "events/test-monitor.h"
#include "events/settle.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

void test_monitor_open(struct test_monitor *monitor)
{
	struct error err = ERROR_INIT;

	assert_int_equal(event_pool_init(&monitor->pool, 100, true, &err), 0);
	monitor->engine = engine_new(&session_records);
	monitor->transactions = transactions_new(NULL);
	transaction_history_init(&monitor->history, NULL, monitor->transactions);
	event_filter_init(&monitor->filter, NULL, &monitor->sites);
	event_sites_init(&monitor->sites, &monitor->pool, monitor->engine);
	event_decoder_init(&monitor->decoder, &monitor->pool, &monitor->sites, &monitor->history,
			   &monitor->filter, monitor->engine);
}

void test_monitor_close(struct test_monitor *monitor)
{
	event_decoder_release(&monitor->decoder);
	event_sites_release(&monitor->sites);
	transaction_history_release(&monitor->history);
	transactions_free(monitor->transactions);
	event_filter_release(&monitor->filter);
	engine_free(monitor->engine);
	event_pool_release(&monitor->pool);
}

struct event_chunk *test_monitor_chunk(const struct test_monitor *monitor, uint64_t chunk)
{
	return (struct event_chunk *)(void *)((char *)monitor->pool.area + monitor->pool.area->chunks) + chunk;
}

struct event_slot *test_monitor_slots(const struct test_monitor *monitor, uint64_t chunk)
{
	return (struct event_slot *)(void *)((char *)monitor->pool.area + event_chunk_at(monitor->pool.area, chunk));
}

void test_monitor_claim(struct test_monitor *monitor, uint64_t chunk, uint64_t lane, uint64_t sequence)
{
	struct event_chunk_set claimed;

	*test_monitor_chunk(monitor, chunk) = (struct event_chunk){
		.owner = lane, .sequence = sequence, .pid = 4000, .tid = 4000 + (uint32_t)lane
	};
	if (monitor->pool.area->most <= chunk)
		monitor->pool.area->most = chunk + 1;
	claimed = event_area_set(monitor->pool.area, monitor->pool.area->claimed_set);
	event_chunk_set_add(&claimed, chunk);
}

void test_monitor_snapshot(struct test_monitor *monitor, void (*take)(void *argument, struct snapshot *snapshot),
			   void *argument)
{
	struct event_decoder *decoder = &monitor->decoder;
	struct snapshot snapshot;

	event_settle_finish_runs(decoder);
	snapshot_init(&snapshot, engine_types(monitor->engine));
	recordset_append(snapshot_set(&snapshot, RECORD_EVENT_SITE), &monitor->sites.rows);
	recordset_append(snapshot_set(&snapshot, RECORD_EVENT), &decoder->rows);
	recordset_append(snapshot_set(&snapshot, RECORD_EVENT_RUN), &decoder->runs);
	take(argument, &snapshot);
	snapshot_release(&snapshot);
	recordset_clear(&monitor->sites.rows);
	recordset_clear(&decoder->rows);
	recordset_clear(&decoder->runs);
	event_settle_begin_snapshot(decoder);
}

uint64_t test_monitor_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return *state >> 33;
}
