/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the course of rows: nothing is lost, whatever the times, and it stays small. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/run-course.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static uint64_t sum_of(const struct course_row *row, bool charged)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < row->count; i++)
		sum += charged ? row->cells[i].charged : row->cells[i].amount;
	return sum;
}

static void test_slices_double(void **state UNUSED)
{
	struct run_course *course = run_course_new(1000);

	for (uint64_t i = 0; i < 10000; i++)
		run_course_add(course, &course->cpu, i % 3, 1000 + i * NSEC_PER_MSEC, 1);
	assert_true(course->slices > COURSE_SLICES / 2);
	assert_true(course->slices <= COURSE_SLICES);
	assert_int_equal(course->width, 64 * NSEC_PER_MSEC);
	assert_int_equal(sum_of(&course->cpu.items[0], false), 3334);
	assert_int_equal(sum_of(&course->cpu.items[1], false), 3333);
	for (size_t i = 1; i < course->cpu.items[2].count; i++)
		assert_true(course->cpu.items[2].cells[i - 1].slice < course->cpu.items[2].cells[i].slice);
	/* 64 ms hold 64 samples of three rows. */
	assert_true(course->cpu.items[0].cells[5].amount >= 21);
	assert_true(course->cpu.items[0].cells[5].amount <= 22);
	run_course_free(course);
}

static void test_spread(void **state UNUSED)
{
	struct run_course *course = run_course_new(0);
	const struct course_row *row;

	run_course_spread(course, &course->waits, 0, 2 * NSEC_PER_MSEC, 5 * NSEC_PER_MSEC, 1000, 7);
	row = &course->waits.items[0];
	assert_int_equal(row->count, 3);
	assert_int_equal(row->cells[0].slice, 2);
	assert_int_equal(row->cells[0].amount, 333);
	assert_int_equal(row->cells[2].amount, 334);
	assert_int_equal(sum_of(row, false), 1000);
	assert_int_equal(sum_of(row, true), 7);
	/* An interval of no length, and one that ends before it begins. */
	run_course_spread(course, &course->waits, 1, NSEC_PER_SEC, NSEC_PER_SEC, 5, 5);
	run_course_spread(course, &course->waits, 1, NSEC_PER_SEC, 0, 5, 5);
	assert_int_equal(sum_of(&course->waits.items[1], false), 10);
	/* Intermediate results exceed 64 bits. */
	run_course_spread(course, &course->waits, 2, 0, 3600 * NSEC_PER_SEC, UINT64_MAX, UINT64_MAX / 2);
	assert_true(sum_of(&course->waits.items[2], false) == UINT64_MAX);
	assert_true(course->slices <= COURSE_SLICES);
	run_course_free(course);
}

static void test_times_out_of_order(void **state UNUSED)
{
	struct run_course *course = run_course_new(NSEC_PER_SEC);

	run_course_add(course, &course->cpu, 0, 0, 1);
	run_course_add(course, &course->cpu, 0, UINT64_MAX, 1);
	run_course_add(course, &course->cpu, 0, 0, 1);
	assert_int_equal(course->cpu.items[0].count, 2);
	assert_int_equal(course->cpu.items[0].cells[0].amount, 2);
	run_course_free(course);
}

static void test_memory_is_bounded(void **state UNUSED)
{
	struct run_course *course = run_course_new(0);
	uint64_t samples = 0;

	course->cells_limit = 1000;
	for (uint64_t i = 0; i < 20000; i++)
		run_course_add(course, &course->cpu, i % 100, i * NSEC_PER_MSEC / 10, 1);
	assert_true(course->cells <= 2000);
	for (size_t i = 0; i < 100; i++)
		samples += sum_of(&course->cpu.items[i], false);
	assert_int_equal(samples, 20000);
	run_course_free(course);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slices_double),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_times_out_of_order),
		cmocka_unit_test(test_memory_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
