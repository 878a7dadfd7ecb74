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
/* Return a chunk of the pool, and its slots. */
struct event_chunk *test_monitor_chunk(const struct test_monitor *monitor, uint64_t chunk);
struct event_slot *test_monitor_slots(const struct test_monitor *monitor, uint64_t chunk);
/* Claims a chunk as the agent does: for a thread of process 4000, 4000 + lane. */
void test_monitor_claim(struct test_monitor *monitor, uint64_t chunk, uint64_t lane, uint64_t sequence);
/* Makes a snapshot of what is ready, as the module EVENTS does, for a function to take. */
void test_monitor_snapshot(struct test_monitor *monitor, void (*take)(void *argument, struct snapshot *snapshot),
			   void *argument);
/* Returns the next number of a sequence that is the same each time, below 2^31. */
uint64_t test_monitor_random(uint64_t *state);

#endif
