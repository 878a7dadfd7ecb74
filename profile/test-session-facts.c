/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the facts on a whole session: its counters, and what makes its figures doubtful. */
#include "common/compat.h"
#include "profile/session-facts.h"
#include "common/clock.h"
#include "profile/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* What a session tells that wrote its counters last at 700 samples, and whose file has 1000. */
static void assert_counted(bool complete, uint64_t taken, uint64_t processed)
{
	struct profile *profile;
	struct fixture f;

	fixture_init(&f);
	fixture_number(&f, ATTR_TAKEN, 760);
	fixture_number(&f, ATTR_PROCESSED, 700);
	fixture_number(&f, ATTR_THINNED, 40);
	fixture_number(&f, ATTR_LOST, 20);
	fixture_number(&f, ATTR_COMPLETE, complete);
	for (uint64_t i = 0; i < 1000; i++) {
		struct record_sample sample = { .time = f.time + i, .task = 1 };

		fixture_add(&f, RECORD_SAMPLE, &sample);
	}
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	assert_int_equal(profile->samples, 1000);
	assert_int_equal(session_facts_taken(profile), taken);
	assert_int_equal(session_facts_processed(profile), processed);
	profile_free(profile);
}

static void a_session_cut_off_took_at_least_what_is_in_its_file(void **state UNUSED)
{
	assert_counted(false, 1060, 1000);
	assert_counted(true, 760, 700);
}

/* Whether a step that used 880 ms, of which exact ns were seen, is said to have been seen in part. */
static bool says_unseen(uint64_t exact, const char *limit, uint64_t paused)
{
	struct profile *profile;
	struct note_list notes;
	struct fixture f;
	bool said = false;

	fixture_init(&f);
	fixture_number(&f, ATTR_CPU_EXACT, exact);
	fixture_number(&f, ATTR_CPU_USER, 800 * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_CPU_SYSTEM, 80 * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_COMPLETE, 1);
	fixture_attribute(&f, ATTR_REQUEST_LIMIT, limit);
	if (paused)
		fixture_number(&f, ATTR_PAUSED, paused);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	note_list_init(&notes);
	session_facts_doubts(profile, &notes);
	for (size_t i = 0; i < notes.count; i++)
		said |= notes.items[i].number == 6012;
	note_list_release(&notes);
	profile_free(profile);
	return said;
}

static void cpu_time_that_was_not_seen_is_told(void **state UNUSED)
{
	assert_true(says_unseen(6 * NSEC_PER_MSEC, "NOLIMIT", 0));
	assert_true(says_unseen(440 * NSEC_PER_MSEC, "NOLIMIT", 0));
	assert_false(says_unseen(441 * NSEC_PER_MSEC, "NOLIMIT", 0));
	assert_false(says_unseen(900 * NSEC_PER_MSEC, "NOLIMIT", 0));
	assert_false(says_unseen(6 * NSEC_PER_MSEC, "2 QUIT", 0));
	/* What the step used while the session was paused is not missing. */
	assert_false(says_unseen(6 * NSEC_PER_MSEC, "NOLIMIT", NSEC_PER_SEC));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_cut_off_took_at_least_what_is_in_its_file),
		cmocka_unit_test(cpu_time_that_was_not_seen_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
