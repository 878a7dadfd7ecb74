/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the limits of scatter: medians, floors, and how often equal nights are
 * reported as different.
 */
#include "common/compat.h"
#include "session/history/scatter.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define DRAWS 40000

/* Returns the same numbers in each run of the test. */
static double uniform(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return ((double)(*seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *seed)
{
	const double radius = sqrt(-2 * log(uniform(seed)));

	return radius * cos(6.283185307179586 * uniform(seed));
}

static void test_median(void **state UNUSED)
{
	double odd[] = { 9, 1, 5 }, even[] = { 4, 1, 3, 100 };
	struct scatter scatter = scatter_of(odd, 3);

	assert_true(scatter.median == 5 && scatter.low == 1 && scatter.high == 9);
	assert_true(fabs(scatter.deviation - SCATTER_DEVIATION * 4) < 1e-12);
	scatter = scatter_of(even, 4);
	assert_true(scatter.median == 3.5);
	assert_true(isinf(scatter_reach(&scatter)));
	assert_true(scatter_beyond(&scatter, 1e12, 0, 0) == 0);
	scatter = scatter_of(NULL, 0);
	assert_int_equal(scatter.count, 0);
}

/* Equal values have no scatter: the floor and the margin decide. */
static void test_floor(void **state UNUSED)
{
	double values[] = { 7, 7, 7, 7, 7, 7 };
	const struct scatter scatter = scatter_of(values, 6);

	assert_true(scatter_beyond(&scatter, 8, 0, 1) == 0);
	assert_true(scatter_beyond(&scatter, 8.5, 0, 1) == 1.5);
	assert_true(scatter_beyond(&scatter, 8.5, 1.5, 1) == 0);
	assert_true(scatter_beyond(&scatter, 5, 1.5, 1) == -2);
}

/* One bad night hides nothing. */
static void test_robust(void **state UNUSED)
{
	double values[] = { 10, 11, 10, 9, 10, 11, 9, 10, 10, 5000 };
	const struct scatter scatter = scatter_of(values, 10);

	assert_true(scatter_beyond(&scatter, 30, 0, 0) == 20);
}

/* If most nights are equal and some differ, that is scatter; a single one is not. */
static void test_mostly_equal(void **state UNUSED)
{
	double some[] = { 10, 10, 10, 10, 10, 10, 12, 12, 12, 12 };
	double one[] = { 10, 10, 10, 10, 10, 10, 10, 10, 10, 5000 };
	struct scatter scatter = scatter_of(some, 10);

	assert_true(scatter.median == 10 && scatter.deviation > 0.5);
	assert_true(scatter_beyond(&scatter, 12, 0, 0) == 0);
	assert_true(scatter_beyond(&scatter, 30, 0, 0) == 20);
	scatter = scatter_of(one, 10);
	assert_true(scatter_beyond(&scatter, 12, 0, 1) == 2);
}

static void test_chance(void **state UNUSED)
{
	static const size_t counts[] = { 5, 6, 7, 8, 9, 10, 12, 13, 15, 20, 29, 30, 100 };
	uint64_t seed = 88172645463325252;

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		unsigned said = 0;
		double part;

		for (unsigned draw = 0; draw < DRAWS; draw++) {
			double values[100];
			struct scatter scatter;

			for (size_t j = 0; j < counts[i]; j++)
				values[j] = 50 + normal(&seed);
			scatter = scatter_of(values, counts[i]);
			said += scatter_beyond(&scatter, 50 + normal(&seed), 0, 0) != 0;
		}
		part = (double)said / DRAWS;
		if (part > 1.5 * SCATTER_CHANCE)
			fprintf(stderr, "%zu values: %.4f\n", counts[i], part);
		assert_true(part <= 1.5 * SCATTER_CHANCE);
		assert_true(part >= 0.3 * SCATTER_CHANCE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_robust),
		cmocka_unit_test(test_mostly_equal),
		cmocka_unit_test(test_chance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
