/* SPDX-License-Identifier: Apache-2.0 */
/* Tests shares and their margins. */
#include "common/compat.h"
#include "common/margin.h"
#include "profile/share.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Returns the margin of a share of this many independent samples, both in percent. */
static double share_margin(double percent, uint64_t samples)
{
	return 100 * margin_of_share(percent / 100, (double)samples);
}

/*
 * Returns the probability that a share of this many samples is no farther from the
 * truth than its margin.
 */
static double held(double share, uint64_t samples)
{
	double sum = 0, all = (double)samples;

	for (uint64_t i = 0; i <= samples; i++) {
		double seen = 100 * (double)i / all, count = (double)i;

		if (fabs(seen - 100 * share) <= share_margin(seen, samples) + 1e-9)
			sum += exp(lgamma(all + 1) - lgamma(count + 1) - lgamma(all - count + 1) +
				   count * log(share) + (all - count) * log(1 - share));
	}
	return sum;
}

static void margins(void **state UNUSED)
{
	assert_true(share_margin(50, 10000) > 0.979 && share_margin(50, 10000) < 0.981);
	assert_true(share_margin(10, 10000) > 0.60 && share_margin(10, 10000) < 0.61);
	assert_true(share_margin(0, 10000) > 0.038 && share_margin(0, 10000) < 0.039);
	assert_true(share_margin(100, 10000) == share_margin(0, 10000));
	assert_true(share_margin(50, 0) == 0);
}

/* For small shares and few samples too. */
static void margins_hold_for_every_share(void **state UNUSED)
{
	for (uint64_t samples = 100; samples <= 1000; samples += 900)
		for (int thousandths = 1; thousandths < 1000; thousandths += 3)
			assert_true(held(thousandths / 1000.0, samples) >= 0.94);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(margins),
		cmocka_unit_test(margins_hold_for_every_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
