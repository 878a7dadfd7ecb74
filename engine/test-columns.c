/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of the columns of a data set: how they are written, skipped and narrowed. */
#include "common/compat.h"
#include "engine/dataset-format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Writes a column of numbers of a snapshot at time 1000. */
static void put(struct strbuf *out, const uint64_t *values, size_t count)
{
	strbuf_reset(out);
	dataset_put_column(out, &(struct dataset_numbers){ values, 1, count, 1000 });
}

static void columns_come_back_however_they_are_written(void **state UNUSED)
{
	static const struct {
		uint64_t values[5];
		size_t count;
		unsigned how;
	} cases[] = {
		{ { 7, 9 }, 1, COLUMN_CONSTANT }, /* the 9 is not part of the column */
		{ { 7, 7, 7, 7, 7 }, 5, COLUMN_CONSTANT },
		{ { 1001 }, 1, COLUMN_CONSTANT | COLUMN_TIME },
		{ { 7, 9 }, 2, COLUMN_LINEAR },
		{ { 9, 7, 5, 3, 1 }, 5, COLUMN_LINEAR },
		{ { UINT64_MAX, 1 }, 2, COLUMN_LINEAR },
		{ { 1, 5, 2, 6, 1 }, 5, COLUMN_PLAIN },
		{ { 5000, 5001, 5003, 5004, 5007 }, 5, COLUMN_DELTA },
		{ { 100000, 200000, 300001, 400001, 500001 }, 5, COLUMN_DELTA2 },
	};
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct dataset_cursor cursor;
		uint64_t values[5] = { 0 };

		put(&out, cases[i].values, cases[i].count);
		assert_int_equal((unsigned char)out.text[0], cases[i].how);
		cursor = dataset_cursor(out.text, out.length);
		dataset_get_column(&cursor, values, 1, cases[i].count, 1000);
		assert_false(cursor.bad);
		assert_ptr_equal(cursor.at, cursor.end);
		assert_memory_equal(values, cases[i].values, cases[i].count * sizeof(*values));
		cursor = dataset_cursor(out.text, out.length);
		dataset_skip_column(&cursor, cases[i].count);
		assert_false(cursor.bad);
		assert_ptr_equal(cursor.at, cursor.end);
	}
	strbuf_release(&out);
}

static void a_column_written_in_no_known_way_is_damage(void **state UNUSED)
{
	static const unsigned char unknown[] = { COLUMN_DELTA2 + 1, 0, 0 };
	struct dataset_cursor cursor = dataset_cursor(unknown, sizeof(unknown));
	uint64_t values[2] = { 1, 1 };

	dataset_skip_column(&cursor, 2);
	assert_true(cursor.bad);
	cursor = dataset_cursor(unknown, sizeof(unknown));
	dataset_get_column(&cursor, values, 1, 2, 1000);
	assert_true(cursor.bad);
	assert_int_equal(values[0], 0);
	assert_int_equal(values[1], 0);
	/* Nor may a column end before its last number. */
	cursor = dataset_cursor("\2\1", 2);
	dataset_skip_column(&cursor, 2);
	assert_true(cursor.bad);
	cursor = dataset_cursor("", 0);
	dataset_skip_column(&cursor, 1);
	assert_true(cursor.bad);
}

/* A record of narrow fields. */
struct record_narrow {
	int8_t i8;
	uint8_t u8;
	int16_t i16;
	uint16_t u16;
	int32_t i32;
	uint32_t u32;
};

#define NARROW(member, kind) \
	{ \
#member, FIELD_##kind, "", SENSE_NONE, false, \
			offsetof(struct record_narrow, member), "" \
	}

static const struct field narrow_fields[] = {
	NARROW(i8, I8),	  NARROW(u8, U8),   NARROW(i16, I16),
	NARROW(u16, U16), NARROW(i32, I32), NARROW(u32, U32),
};

static const struct record_type narrow = { .name = "narrow",
					   .fields = narrow_fields,
					   .field_count = ARRAY_SIZE(narrow_fields),
					   .size = sizeof(struct record_narrow) };

/* Reads numbers of the widest type of a family into a narrow field of records. */
static void narrow_to(struct recordset *target, int field, const uint64_t *values, size_t count)
{
	bool is_signed = narrow_fields[field].type >= FIELD_I8;
	struct dataset_field from = { .type = is_signed ? FIELD_SIGNED : FIELD_UNSIGNED,
				      .target = field };
	struct strbuf out = STRBUF_INIT;
	struct dataset_set set = { .rows = count };

	put(&out, values, count);
	set.data = dataset_cursor(out.text, out.length);
	dataset_get_field(&set, &from, target, 0, 1000);
	assert_false(set.data.bad);
	strbuf_release(&out);
}

static void what_is_too_large_for_a_field_becomes_the_largest(void **state UNUSED)
{
	static const int64_t numbers[] = { 0,
					   INT8_MAX,
					   INT8_MAX + 1,
					   INT16_MAX,
					   INT16_MAX + 1,
					   INT32_MAX,
					   INT64_MAX,
					   (int64_t)INT32_MAX + 1,
					   INT8_MIN,
					   INT8_MIN - 1,
					   INT16_MIN,
					   INT16_MIN - 1,
					   INT32_MIN,
					   (int64_t)INT32_MIN - 1,
					   INT64_MIN,
					   UINT8_MAX,
					   UINT8_MAX + 1,
					   UINT16_MAX,
					   UINT16_MAX + 1,
					   UINT32_MAX,
					   (int64_t)UINT32_MAX + 1 };
	struct recordset set;

	recordset_init(&set, &narrow);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		recordset_add(&set, &(struct record_narrow){ 0 });
	for (int field = 0; field < (int)ARRAY_SIZE(narrow_fields); field++)
		narrow_to(&set, field, (const uint64_t *)numbers, ARRAY_SIZE(numbers));
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		const struct record_narrow *row = recordset_get(&set, i);
		int64_t is = numbers[i];
		uint64_t positive = (uint64_t)is;

		assert_int_equal(row->i8, is > INT8_MAX ? INT8_MAX : is < INT8_MIN ? INT8_MIN : is);
		assert_int_equal(row->i16, is > INT16_MAX   ? INT16_MAX
					   : is < INT16_MIN ? INT16_MIN
							    : is);
		assert_int_equal(row->i32, is > INT32_MAX   ? INT32_MAX
					   : is < INT32_MIN ? INT32_MIN
							    : is);
		assert_int_equal(row->u8, positive > UINT8_MAX ? UINT8_MAX : positive);
		assert_int_equal(row->u16, positive > UINT16_MAX ? UINT16_MAX : positive);
		assert_int_equal(row->u32, positive > UINT32_MAX ? UINT32_MAX : positive);
	}
	recordset_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_come_back_however_they_are_written),
		cmocka_unit_test(a_column_written_in_no_known_way_is_damage),
		cmocka_unit_test(what_is_too_large_for_a_field_becomes_the_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
