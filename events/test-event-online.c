/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of the buffer of the newest events. */
#include "common/compat.h"
#include "events/event-online.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* A buffer and the snapshots it is given. */
struct buffer {
	struct registry types;
	struct snapshot snapshot;
	struct event_online online;
	uint64_t started;
};

static void begin(struct buffer *buffer, uint64_t events)
{
	memset(buffer, 0, sizeof(*buffer));
	registry_init(&buffer->types, &session_records);
	snapshot_init(&buffer->snapshot, &buffer->types);
	buffer->online.started = &buffer->started;
	event_online_init(&buffer->online, events * sizeof(struct record_event));
}

static void end(struct buffer *buffer)
{
	event_online_release(&buffer->online);
	snapshot_release(&buffer->snapshot);
	registry_release(&buffer->types);
}

/* Gives it a snapshot with events at the times first, first + 1 and so on. */
static void give(struct buffer *buffer, uint64_t first, uint64_t count, bool last)
{
	snapshot_clear(&buffer->snapshot);
	buffer->snapshot.last = last;
	for (uint64_t i = 0; i < count; i++)
		recordset_add(snapshot_set(&buffer->snapshot, RECORD_EVENT),
			      &(struct record_event){ .time = first + i, .task = 1, .site = 1 });
	event_online_apply(&buffer->online, &buffer->snapshot);
}

/* Checks that the snapshot has count events, at the times from first on. */
static void expect(const struct buffer *buffer, uint64_t first, size_t count)
{
	const struct recordset *rows = snapshot_records(&buffer->snapshot, RECORD_EVENT);

	assert_int_equal(rows->count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(((const struct record_event *)recordset_get(rows, i))->time, first + i);
}

/* However the events are divided into snapshots, the newest are left, the oldest of them first. */
static void test_newest(void **state UNUSED)
{
	static const uint64_t sizes[] = { 1, 3, 9, 10, 11, 25, 100 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct buffer buffer;

		begin(&buffer, 10);
		for (uint64_t at = 0; at < 100; at += sizes[i]) {
			give(&buffer, 1000 + at, at + sizes[i] < 100 ? sizes[i] : 100 - at, false);
			expect(&buffer, 0, 0);
		}
		assert_int_equal(event_online_count(&buffer.online), 10);
		assert_int_equal(buffer.online.overwritten, 90);
		give(&buffer, 0, 0, true);
		expect(&buffer, 1090, 10);
		assert_int_equal(buffer.online.delivered, 10);
		end(&buffer);
	}
}

static void test_fewer_than_room(void **state UNUSED)
{
	struct buffer buffer;

	begin(&buffer, 10);
	give(&buffer, 5, 4, false);
	give(&buffer, 9, 3, true);
	expect(&buffer, 5, 7);
	assert_int_equal(buffer.online.overwritten, 0);
	end(&buffer);
}

/* A size of less than one event: only the newest. */
static void test_smallest(void **state UNUSED)
{
	struct buffer buffer;

	begin(&buffer, 0);
	give(&buffer, 5, 4, false);
	give(&buffer, 0, 0, true);
	expect(&buffer, 8, 1);
	end(&buffer);
}

/*
 * Started again: earlier events are gone, even if they arrive late; later ones
 * that arrived early stay.
 */
static void test_started_again(void **state UNUSED)
{
	struct buffer buffer;

	begin(&buffer, 10);
	give(&buffer, 100, 25, false);
	buffer.started = 120;
	give(&buffer, 110, 12, true);
	/* 120 to 124 were in the buffer, which had wrapped; 110 to 119 arrive late. */
	assert_int_equal(snapshot_records(&buffer.snapshot, RECORD_EVENT)->count, 7);
	assert_int_equal(((const struct record_event *)recordset_get(
				  snapshot_records(&buffer.snapshot, RECORD_EVENT), 0))
				 ->time,
			 120);
	buffer.started = 500;
	give(&buffer, 400, 9, false);
	give(&buffer, 600, 14, true);
	expect(&buffer, 604, 10);
	end(&buffer);
}

/*
 * The rows that events need are kept of all tasks that ever existed; a later row
 * replaces an earlier one.
 */
static void test_rows_kept(void **state UNUSED)
{
	struct buffer buffer;

	begin(&buffer, 10);
	for (uint64_t i = 0; i < 100; i++) {
		snapshot_clear(&buffer.snapshot);
		recordset_add(snapshot_set(&buffer.snapshot, RECORD_TASK),
			      &(struct record_task){ .task = i % 7 + 1, .cpu = i });
		recordset_add(snapshot_set(&buffer.snapshot, RECORD_EVENT_SITE),
			      &(struct record_event_site){ .site = i + 1, .type = EVENT_NS });
		recordset_add(snapshot_set(&buffer.snapshot, RECORD_ATTRIBUTE),
			      &(struct record_attribute){ .key = 5, .value = i });
		event_online_apply(&buffer.online, &buffer.snapshot);
		/* They also stay in the session's snapshot. */
		assert_int_equal(snapshot_records(&buffer.snapshot, RECORD_TASK)->count, 1);
	}
	assert_int_equal(buffer.online.kept[RECORD_TASK].count, 7);
	assert_int_equal(((const struct record_task *)recordset_get(&buffer.online.kept[RECORD_TASK], 0))->cpu,
			 98);
	assert_int_equal(buffer.online.kept[RECORD_EVENT_SITE].count, 100);
	assert_int_equal(buffer.online.kept[RECORD_ATTRIBUTE].count, 1);
	end(&buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_newest),	      cmocka_unit_test(test_fewer_than_room),
		cmocka_unit_test(test_smallest),      cmocka_unit_test(test_started_again),
		cmocka_unit_test(test_rows_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
