/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of images that processes execute: what a process has written before is read
 * before its new image begins, whose mappings are others.
 */
#include "common/compat.h"
#include "events/test-monitor.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Slots of a chunk of the smallest pool. */
#define SLOTS (EVENT_CHUNK_SIZE_SMALL / sizeof(struct event_slot))

/* Writes a slot as a thread does. */
static void put(struct test_monitor *monitor, uint64_t chunk, uint64_t at, uint64_t mark)
{
	test_monitor_slots(monitor, chunk)[at] = (struct event_slot){ monitor->pool.ticks[1] + chunk * 1000 + at, mark };
}

/* Fills a chunk with statements of a line, and leaves it. */
static void fill(struct test_monitor *monitor, uint64_t chunk, uint64_t line)
{
	for (uint64_t i = 0; i < SLOTS; i++)
		put(monitor, chunk, i, EVENT_MARK_STATEMENT | EVENT_SITE(line, 0, 0));
	test_monitor_chunk(monitor, chunk)->end = EVENT_CHUNK_SIZE_SMALL;
}

/* Begins an image, with a statement of a line. */
static void begin_image(struct test_monitor *monitor, uint64_t chunk, uint64_t line)
{
	put(monitor, chunk, 0, EVENT_MARK_ANCHOR);
	put(monitor, chunk, 1, EVENT_MARK_PROCESS | EVENT_PROCESS(0, 0, 0, 1));
	put(monitor, chunk, 2, EVENT_MARK_STATEMENT | EVENT_SITE(line, 0, 0));
}

/* What has been taken: lines of statements, 0 for an exec, each once in a row. */
struct taken {
	struct test_monitor *monitor;
	uint64_t lines[16];
	size_t count;
};

static void take(void *argument, struct event_lane_reader *lane, const struct event_slot *slots, size_t count)
{
	struct taken *taken = argument;

	for (size_t i = 0; i < count; i += event_slots_of(slots[i].mark)) {
		uint64_t kind = slots[i].mark & 0xff, line = kind == EVENT_MARK_PROCESS ? 0 : EVENT_SITE_LINE(slots[i].mark);

		if (kind == EVENT_MARK_ANCHOR || (taken->count && taken->lines[taken->count - 1] == line))
			continue;
		assert_true(taken->count < ARRAY_SIZE(taken->lines));
		taken->lines[taken->count++] = line;
	}
	event_decoder_take(&taken->monitor->decoder, lane, slots, count);
}

static void expect(const struct taken *taken, const uint64_t *lines, size_t count)
{
	assert_int_equal(taken->count, count);
	assert_memory_equal(taken->lines, lines, count * sizeof(*lines));
}

/* A lane that has filled three chunks precedes the image, and that its other threads. */
static void test_order(void **state UNUSED)
{
	static const uint64_t lines[] = { 0, 1, 2, 3, 0, 4, 5 };
	struct test_monitor monitor;
	struct taken taken = { .monitor = &monitor };

	test_monitor_open(&monitor);
	for (uint64_t i = 0; i < 3; i++) {
		test_monitor_claim(&monitor, i * 20, 1, i + 1);
		fill(&monitor, i * 20, i + 1);
	}
	put(&monitor, 0, 0, EVENT_MARK_ANCHOR);
	put(&monitor, 0, 1, EVENT_MARK_PROCESS | EVENT_PROCESS(0, 0, 0, 1));
	test_monitor_claim(&monitor, 1, 2, 1);
	begin_image(&monitor, 1, 4);
	test_monitor_claim(&monitor, 2, 3, 1);
	put(&monitor, 2, 0, EVENT_MARK_STATEMENT | EVENT_SITE(5, 0, 0));
	while (event_pool_drain(&monitor.pool, false, take, &taken))
		;
	expect(&taken, lines, ARRAY_SIZE(lines));
	test_monitor_close(&monitor);
}

/* One of another PID namespace, with the same number, that writes all the time does not keep it for ever. */
static void test_no_end(void **state UNUSED)
{
	struct test_monitor monitor;
	struct taken taken = { .monitor = &monitor };

	test_monitor_open(&monitor);
	test_monitor_claim(&monitor, 0, 1, 1);
	fill(&monitor, 0, 1);
	test_monitor_claim(&monitor, 1, 2, 1);
	begin_image(&monitor, 1, 4);
	for (uint64_t i = 2; i < 3000 && (!taken.count || taken.lines[taken.count - 1] != 4); i++) {
		test_monitor_claim(&monitor, i, 1, i);
		fill(&monitor, i, 1);
		event_pool_drain(&monitor.pool, false, take, &taken);
		if (taken.count > 2)
			break;
	}
	assert_int_equal(taken.lines[1], 0);
	assert_int_equal(taken.lines[2], 4);
	test_monitor_close(&monitor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_no_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
