/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the sums of waits by place, and the class of a place. */
#include "common/compat.h"
#include "sampler/wait-tally.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void places_differ_by_each_of_their_parts(void **state UNUSED)
{
	static const struct wait_site sites[] = {
		{ .stack = 1, .reason = WAIT_SLEEP },
		{ .stack = 2, .reason = WAIT_SLEEP },
		{ .stack = 1, .reason = WAIT_POLL },
		{ .stack = 1, .reason = WAIT_SLEEP, .file = 1 },
		{ .stack = 1, .reason = WAIT_SLEEP, .syscall = 1 },
	};
	const struct wait_amount part = { .count = 1, .total = 10 };
	struct wait_tallies tallies = { 0 };

	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < ARRAY_SIZE(sites); i++)
			wait_tallies_add(&tallies, &sites[i], &part);
	assert_int_equal(tallies.count, ARRAY_SIZE(sites));
	for (size_t i = 0; i < ARRAY_SIZE(sites); i++)
		assert_int_equal(tallies.items[i].amount.total, 20);
	wait_tallies_release(&tallies);
}

static void reasons_have_a_class(void **state UNUSED)
{
	for (uint32_t reason = 0; reason < WAIT_REASON_COUNT; reason++) {
		const struct wait_site site = { .reason = reason };
		const struct wait_site with_file = { .reason = reason, .file = 1 };
		bool minor = reason == WAIT_CHILD || reason == WAIT_LOCK || reason == WAIT_PIPE ||
			     reason == WAIT_SIGNAL || reason == WAIT_VIGIL;
		bool file = reason == WAIT_FILE_READ || reason == WAIT_FILE_WRITE ||
			    reason == WAIT_FILE_SYNC || reason == WAIT_FILE_OTHER;

		assert_int_equal(wait_site_class(&site), minor ? CLASS_MINOR : CLASS_MAJOR);
		assert_int_equal(wait_site_is_file(&site), file);
		assert_int_equal(wait_site_is_file(&with_file), file || reason == WAIT_PAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_differ_by_each_of_their_parts),
		cmocka_unit_test(reasons_have_a_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
