/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of decoding the agent's slots of calls that leave an object. */
#include "common/compat.h"
#include "events/library-events.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "events/event-request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct fixture {
	struct event_pool pool;
	struct engine *engine;
	struct library_events events;
	uint32_t database;
};

static int setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));
	struct error err = ERROR_INIT;

	assert_int_equal(event_pool_init(&fixture->pool, EVENT_POOL_MIN_KB, false, &err), 0);
	fixture->engine = engine_new(&session_records);
	library_events_init(&fixture->events, &fixture->pool, fixture->engine);
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	library_events_release(&fixture->events);
	engine_free(fixture->engine);
	event_pool_release(&fixture->pool);
	free(fixture);
	return 0;
}

static struct library_event read_slot(struct fixture *fixture, uint64_t process,
				      const struct event_slot *slot)
{
	return library_events_read(&fixture->events, process, slot, &fixture->database);
}

/* Decodes an event with a word and a text. */
static struct library_event read_text(struct fixture *fixture, uint64_t kind, int32_t number,
				      uint64_t word, const char *text)
{
	struct event_slot slots[64] = { { 0 } };
	uint64_t length = sizeof(word) + strlen(text), more = (length + 15) / 16;

	slots[0].mark = kind | more << 8 | length << 16 | (uint64_t)(uint32_t)number << 32;
	memcpy(&slots[1], &word, sizeof(word));
	memcpy((char *)&slots[1] + sizeof(word), text, strlen(text));
	return read_slot(fixture, 1, slots);
}

static struct library_event read_plain(struct fixture *fixture, uint64_t process, uint64_t mark)
{
	return read_slot(fixture, process, &(struct event_slot){ 0, mark });
}

static const char *text_of(const struct fixture *fixture, const struct library_event *event)
{
	return strmap_text(engine_strings(fixture->engine), (uint32_t)event->data);
}

static void test_statements(void **state)
{
	struct fixture *fixture = *state;
	struct library_event event;

	event = read_text(fixture, EVENT_MARK_DATABASE, 7 | 9 << 16, 0x1234, "select 1");
	assert_int_equal(event.type, EVENT_DB);
	assert_int_equal(event.statement, 7);
	assert_int_equal(event.database, 9);
	assert_true(event.code == INT64_MIN);
	assert_string_equal(text_of(fixture, &event), "select 1");
	event = read_plain(fixture, 1, EVENT_MARK_DATABASE_DONE | 7 << 8 | UINT64_C(101) << 32);
	assert_int_equal(event.type, EVENT_DA);
	assert_int_equal(event.code, 101);
	assert_int_equal(event.database, 9);
	assert_int_equal(event.data, 0);
	/* Another call for the statement, of this process only. */
	event = read_plain(fixture, 1, EVENT_MARK_DATABASE_MORE | 8 << 8 | UINT64_C(0x1234) << 24);
	assert_int_equal(event.statement, 8);
	assert_int_equal(event.database, 9);
	assert_string_equal(text_of(fixture, &event), "select 1");
	event = read_plain(fixture, 2, EVENT_MARK_DATABASE_MORE | 8 << 8 | UINT64_C(0x1234) << 24);
	assert_int_equal(event.data, 0);
	/* Later there is another statement at its address. */
	read_text(fixture, EVENT_MARK_DATABASE, 7, 0x1234, "select 2");
	event = read_plain(fixture, 1, EVENT_MARK_DATABASE_MORE | 8 << 8 | UINT64_C(0x1234) << 24);
	assert_string_equal(text_of(fixture, &event), "select 2");
	event = read_text(fixture, EVENT_MARK_DATABASE_FAILED, -5, 7, "42P01");
	assert_int_equal(event.type, EVENT_DA);
	assert_int_equal(event.statement, 7);
	assert_int_equal(event.code, -5);
	assert_string_equal(text_of(fixture, &event), "42P01");
	assert_true(fixture->events.database);
	assert_false(fixture->events.calls);
}

static void test_shapes(void **state)
{
	struct fixture *fixture = *state;
	struct library_event event;

	fixture->events.shapes = true;
	event = read_text(fixture, EVENT_MARK_DATABASE, 1, 0, "SELECT * FROM a WHERE b = 'Smith'");
	assert_string_equal(text_of(fixture, &event), "select * from a where b = ?");
	event = read_text(fixture, EVENT_MARK_DATABASE, 1, 0, "");
	assert_int_equal(event.data, 0);
}

static void test_others(void **state)
{
	struct fixture *fixture = *state;
	struct library_event event;

	event = read_plain(fixture, 1, EVENT_MARK_CALL | 3 << 8 | 4 << 24);
	assert_int_equal(event.type, EVENT_CB);
	assert_int_equal(event.statement, 3);
	event = read_plain(fixture, 1, EVENT_MARK_CALL_DONE | 3 << 8 | UINT64_C(0xffffffff) << 32);
	assert_int_equal(event.type, EVENT_CA);
	assert_int_equal(event.code, -1);
	event = read_text(fixture, EVENT_MARK_SPAWN, 77, 0, "/bin/true");
	assert_int_equal(event.type, EVENT_KP);
	assert_int_equal(event.code, 77);
	assert_string_equal(text_of(fixture, &event), "/bin/true");
	event = read_text(fixture, EVENT_MARK_SPAWN, 0, 0, "ls");
	assert_true(event.code == INT64_MIN);
	event = read_plain(fixture, 1, EVENT_MARK_SIGNAL | 10 << 8);
	assert_int_equal(event.type, EVENT_KS);
	assert_int_equal(event.code, 10);
	assert_true(fixture->events.calls && fixture->events.spawns && fixture->events.signals);
}

/* Data in the pool damaged by a program: lengths beyond the slots, and no word. */
static void test_damage(void **state)
{
	struct fixture *fixture = *state;
	struct event_slot slots[3] = { { 0, EVENT_MARK_DATABASE | 1 << 8 | UINT64_C(0xffff) << 16 },
				       { UINT64_C(0x4141414141414141),
					 UINT64_C(0x4242424242424242) } };
	struct library_event event = read_slot(fixture, 1, slots);

	assert_string_equal(text_of(fixture, &event), "BBBBBBBB");
	slots[0].mark = EVENT_MARK_DATABASE | 0 << 8 | UINT64_C(0xffff) << 16;
	event = read_slot(fixture, 1, slots);
	assert_int_equal(event.data, 0);
	event = read_slot(fixture, 1,
			  &(struct event_slot){ 0, EVENT_MARK_SPAWN | UINT64_C(5) << 16 });
	assert_int_equal(event.data, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_statements, setup, teardown),
		cmocka_unit_test_setup_teardown(test_shapes, setup, teardown),
		cmocka_unit_test_setup_teardown(test_others, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damage, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
