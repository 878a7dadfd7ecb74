/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the files of a long collection: when one begins, its name, and what is repeated in it. */
#include "common/compat.h"
#include "session/collection/data-files.h"
#include "common/clock.h"
#include "records/record-types.h"
#include "session/collection/file-start.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>
#include <cmocka.h>

static void sizes_and_times_are_read(void **state UNUSED)
{
	static const char *const wrong[] = { "", "4095", "-1", "k", "10X", "10kk", "99999999G" };
	struct rotation_time rotation;
	uint64_t bytes;

	assert_true(rotation_parse_size("4096", &bytes) && bytes == 4096);
	assert_true(rotation_parse_size("64k", &bytes) && bytes == 65536);
	assert_true(rotation_parse_size("3M", &bytes) && bytes == 3 << 20);
	assert_true(rotation_parse_size("2T", &bytes) && bytes == UINT64_C(2) << 40);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_false(rotation_parse_size(wrong[i], &bytes));
	assert_true(rotation_parse("Hourly", &rotation) && rotation.kind == ROTATE_HOURLY);
	assert_true(rotation_parse("daily", &rotation) && rotation.kind == ROTATE_DAILY);
	assert_true(rotation_parse("900", &rotation) && rotation.seconds == 900);
	assert_false(rotation_parse("0", &rotation));
	assert_false(rotation_parse("-5", &rotation));
	assert_false(rotation_parse("5s", &rotation));
	assert_false(rotation_parse("weekly", &rotation));
}

static uint64_t period(enum rotation kind, uint64_t seconds)
{
	const struct rotation_time rotation = { kind, 600 };

	return rotation_period(&rotation, seconds * NSEC_PER_SEC);
}

/* Days and hours are local: 22:00 UTC in winter is midnight two hours to the east. */
static void periods_are_those_of_the_wall_clock(void **state UNUSED)
{
	const uint64_t midnight = 1700000000 / 86400 * 86400;

	setenv("TZ", "XXX-2", 1);
	tzset();
	assert_int_not_equal(period(ROTATE_DAILY, midnight + 79199),
			     period(ROTATE_DAILY, midnight + 79200));
	assert_int_equal(period(ROTATE_DAILY, midnight + 79199), period(ROTATE_DAILY, midnight));
	assert_int_not_equal(period(ROTATE_HOURLY, midnight + 3599),
			     period(ROTATE_HOURLY, midnight + 3600));
	assert_int_equal(period(ROTATE_HOURLY, midnight), period(ROTATE_HOURLY, midnight + 3599));
	assert_int_not_equal(period(ROTATE_SECONDS, midnight + 599),
			     period(ROTATE_SECONDS, midnight + 600));
	assert_int_equal(period(ROTATE_NEVER, 0), period(ROTATE_NEVER, midnight));
	unsetenv("TZ");
	tzset();
}

static void names_are_in_the_order_of_time(void **state UNUSED)
{
	static const struct {
		const char *pattern;
		uint64_t wall;
		const char *name;
	} cases[] = {
		{ "a/night.vprf", 1700000000999999999, "a/night-20231114T221320.999Z.vprf" },
		{ "night", 1700000001000000000, "night-20231114T221321.000Z.vprf" },
		{ ".vprf", 0, ".vprf-19700101T000000.000Z.vprf" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf name = STRBUF_INIT;

		data_files_name(&name, cases[i].pattern, cases[i].wall);
		assert_string_equal(name.text, cases[i].name);
		strbuf_release(&name);
	}
}

struct thing {
	uint64_t name, present, value;
};
static const struct field thing_fields[] = {
	{ "name", FIELD_STRING, "name", SENSE_NONE, false, offsetof(struct thing, name), "It." },
	{ "present", FIELD_UNSIGNED, "flag", SENSE_LEVEL, false, offsetof(struct thing, present),
	  "There?" },
	{ "value", FIELD_STRING, "text", SENSE_LEVEL, true, offsetof(struct thing, value),
	  "Value." },
};
static const struct record_type thing_type = { .name = "thing",
					       .fields = thing_fields,
					       .field_count = ARRAY_SIZE(thing_fields),
					       .size = sizeof(struct thing),
					       .meaning = "A thing." };
static const struct field head_fields[] = {
	{ "host", FIELD_STRING, "name", SENSE_NONE, false, 0, "Host." },
};
static const struct record_type head_type = {
	.name = "head", .fields = head_fields, .field_count = 1, .size = 8, .meaning = "A head."
};
static const struct field count_fields[] = {
	{ "count", FIELD_UNSIGNED, "count", SENSE_COUNTER, false, 0, "Count." },
};
static const struct record_type count_type = {
	.name = "count", .fields = count_fields, .field_count = 1, .size = 8, .meaning = "A count."
};

/* Adds a record about an object. */
static void add_thing(struct snapshot *snapshot, struct strmap *strings, unsigned id, const char *name,
		 const char *value)
{
	const struct thing thing = { strmap_put(strings, name), value != NULL,
				     value ? strmap_put(strings, value) : UINT64_MAX };

	recordset_add(snapshot_set(snapshot, id), &thing);
}

/* Returns the text in a field of a record of a made snapshot. */
static const char *text_of(const struct file_start *start, unsigned id, size_t record, size_t field)
{
	struct field_value value;

	assert_true(recordset_value(snapshot_records(&start->made, id), record, field, &value));
	return strmap_text(&start->strings, (uint32_t)value.number);
}

static size_t count_of(const struct file_start *start, unsigned id)
{
	return snapshot_records(&start->made, id)->count;
}

/*
 * The first snapshot of each file has the records produced before it, with text
 * numbers of that file.
 */
static void a_file_is_whole_by_itself(void **state UNUSED)
{
	struct file_start start = { 0 };
	struct registry types;
	struct strmap strings;
	struct snapshot snapshot;
	unsigned thing, head, count;
	uint64_t host, number = 5;

	registry_init(&types, &session_records);
	strmap_init(&strings);
	strmap_put(&strings, "");
	strmap_put(&strings, "a text of long ago");
	thing = registry_add(&types, &thing_type, NULL)->id;
	head = registry_add(&types, &head_type, NULL)->id;
	count = registry_add(&types, &count_type, NULL)->id;
	snapshot_init(&snapshot, &types);

	file_start_begin(&start);
	host = strmap_put(&strings, "here");
	recordset_add(snapshot_set(&snapshot, head), &host);
	recordset_add(snapshot_set(&snapshot, count), &number);
	add_thing(&snapshot, &strings, thing, "a", "1");
	add_thing(&snapshot, &strings, thing, "b", "2");
	file_start_snapshot(&start, &snapshot, &strings, true);
	assert_int_equal(count_of(&start, thing), 2);
	assert_int_equal(count_of(&start, count), 1);
	assert_string_equal(text_of(&start, head, 0, 0), "here");
	assert_int_equal(strmap_find(&start.strings, "a text of long ago"), UINT32_MAX);

	/* Not the first: unchanged. */
	snapshot_clear(&snapshot);
	add_thing(&snapshot, &strings, thing, "b", "3");
	file_start_snapshot(&start, &snapshot, &strings, false);
	assert_int_equal(count_of(&start, thing), 1);
	assert_int_equal(count_of(&start, head), 0);
	assert_string_equal(text_of(&start, thing, 0, 2), "3");

	file_start_begin(&start);
	snapshot_clear(&snapshot);
	add_thing(&snapshot, &strings, thing, "a", NULL);
	file_start_snapshot(&start, &snapshot, &strings, true);
	assert_int_equal(count_of(&start, thing), 1);
	assert_string_equal(text_of(&start, thing, 0, 0), "b");
	assert_string_equal(text_of(&start, thing, 0, 2), "3");
	assert_string_equal(text_of(&start, head, 0, 0), "here");
	/* Counts apply only to their moment. */
	assert_int_equal(count_of(&start, count), 0);
	assert_int_equal(strmap_find(&start.strings, "1"), UINT32_MAX);

	file_start_release(&start);
	snapshot_release(&snapshot);
	strmap_release(&strings);
	registry_release(&types);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_and_times_are_read),
		cmocka_unit_test(periods_are_those_of_the_wall_clock),
		cmocka_unit_test(names_are_in_the_order_of_time),
		cmocka_unit_test(a_file_is_whole_by_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
