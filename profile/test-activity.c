/* SPDX-License-Identifier: Apache-2.0 */
/* Tests sums by task or file: lookup by id, and the order of the busiest. */
#include "common/compat.h"
#include "profile/activity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void the_busiest_stand_in_order(void **state UNUSED)
{
	static const uint64_t busy[][2] = { { 9, 5 }, { 4, 70 }, { 8, 0 }, { 2, 70 }, { 3, 1 }, { 7, 6 } };
	static const uint64_t order[] = { 2, 4, 7, 9, 3 };
	const struct activity_sum *busiest[ARRAY_SIZE(busy)];
	struct activity_table table = { .count = 0 };

	assert_int_equal(activity_busiest(&table, busiest, 3), 0);
	for (size_t i = 0; i < ARRAY_SIZE(busy); i++)
		activity_put(&table, busy[i][0])->busy = busy[i][1];
	for (size_t most = 0; most <= ARRAY_SIZE(busy); most++) {
		size_t count = activity_busiest(&table, busiest, most);

		assert_int_equal(count, most < ARRAY_SIZE(order) ? most : ARRAY_SIZE(order));
		for (size_t i = 0; i < count; i++)
			assert_int_equal(busiest[i]->id, order[i]);
	}
	activity_release(&table);
}

static void sums_are_found_by_id(void **state UNUSED)
{
	struct activity_table table = { .count = 0 };

	assert_null(activity_find(&table, 7));
	activity_put(&table, 7)->busy = 3;
	activity_put(&table, 7)->busy += 4;
	activity_put(&table, 8);
	assert_int_equal(table.count, 2);
	assert_int_equal(activity_find(&table, 7)->busy, 7);
	activity_release(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_busiest_stand_in_order),
		cmocka_unit_test(sums_are_found_by_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
