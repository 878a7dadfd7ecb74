/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of the detection of loops while reading. */
#include "common/compat.h"
#include "datasets/rounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Returns the number of keys read until a repetition is detected: before keys, then a loop. */
static uint64_t read_until_again(uint32_t before, uint32_t round, uint64_t most)
{
	struct rounds rounds = { 0 };
	uint64_t count = 0;
	uint32_t at = 0;
	char key[4];

	do {
		memcpy(key, &at, sizeof(key));
		at = at + 1 == before + round ? before : at + 1;
	} while (++count < most && !loop_detector_seen(&rounds, key, sizeof(key)));
	loop_detector_reset(&rounds);
	return count;
}

/* Returns the position of the stored key that lies in the loop and remains until it comes again. */
static uint64_t kept_place(uint32_t before, uint32_t round)
{
	uint64_t place = 1;

	while (place <= before || place < round)
		place *= 2;
	return place;
}

static void rounds_are_noticed_when_the_kept_key_comes_again(void **state UNUSED)
{
	for (uint32_t before = 0; before < 70; before++)
		for (uint32_t round = 1; round < 70; round++) {
			uint64_t due = kept_place(before, round) + round;
			uint64_t count = read_until_again(before, round, 1000);

			if (count != due)
				fail_msg("%u before a round of %u: noticed at %" PRIu64
					 " instead of %" PRIu64,
					 before, round, count, due);
		}
	assert_int_equal(read_until_again(0, 1, 1000), 2);
	assert_int_equal(read_until_again(63, 64, 1000), 128);
	assert_int_equal(read_until_again(64, 64, 1000), 192);
}

static void keys_that_differ_never_come_again(void **state UNUSED)
{
	assert_int_equal(read_until_again(100000, 1, 100000), 100000);
}

/* Keys are compared completely. */
static void every_byte_counts(void **state UNUSED)
{
	struct rounds rounds = { 0 };

	assert_false(loop_detector_seen(&rounds, "ab", 2));
	assert_false(loop_detector_seen(&rounds, "ac", 2));
	assert_false(loop_detector_seen(&rounds, "bc", 2));
	assert_true(loop_detector_seen(&rounds, "ac", 2));
	loop_detector_reset(&rounds);
}

/* After a new start records may be read again. */
static void reading_begins_anew(void **state UNUSED)
{
	struct rounds rounds = { 0 };

	assert_false(loop_detector_seen(&rounds, "a", 1));
	loop_detector_reset(&rounds);
	assert_false(loop_detector_seen(&rounds, "a", 1));
	assert_true(loop_detector_seen(&rounds, "a", 1));
	loop_detector_reset(&rounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rounds_are_noticed_when_the_kept_key_comes_again),
		cmocka_unit_test(keys_that_differ_never_come_again),
		cmocka_unit_test(every_byte_counts),
		cmocka_unit_test(reading_begins_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
