/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the monitor's side of events for a unit test. */
#include "common/compat.h"
#include "events/test-monitor.h"

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
