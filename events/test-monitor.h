/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor's side of events without a program: what unit tests give slots to. */
#ifndef VIGIL_EVENTS_TEST_MONITOR_H
#define VIGIL_EVENTS_TEST_MONITOR_H

#include "events/decoder.h"

struct test_monitor {
	struct event_pool pool; /* of 100 KB */
	struct event_sites sites;
	struct event_decoder decoder;
	struct transactions *transactions;
	struct transaction_history history;
	struct event_filter filter; /* keeps everything */
	struct engine *engine;
};

void test_monitor_open(struct test_monitor *monitor);
void test_monitor_close(struct test_monitor *monitor);

#endif
