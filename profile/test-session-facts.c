/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the facts on a whole session: its counters, and what makes its figures unreliable. */
#include "common/compat.h"
#include "profile/session-facts.h"
#include "profile/share.h"
#include "common/clock.h"
#include "profile/fixture.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/*
 * Checks the counts of a session that last wrote its counters at 700 samples, and
 * whose file has 1000.
 */
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

/* Returns whether notes include a number; releases them. */
static bool have_note(struct note_list *notes, unsigned number)
{
	bool have = false;

	for (size_t i = 0; i < notes->count; i++)
		have |= notes->items[i].number == number;
	note_list_release(notes);
	return have;
}

/* Returns whether a note says that the step used too little CPU time to be sampled. */
static bool says_too_little(const struct note_list *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		if (notes->items[i].number == 6003)
			return strstr(notes->items[i].text, "too little CPU time") != NULL;
	fail_msg("nothing is said of the samples");
	return false;
}

/* Ends the fixture of a session with a limit, and gets what is said of it. */
static void hear_doubts(struct fixture *f, const char *limit, struct note_list *notes)
{
	struct profile *profile;

	fixture_number(f, ATTR_COMPLETE, 1);
	fixture_attribute(f, ATTR_REQUEST_LIMIT, limit);
	fixture_end_snapshot(f);
	profile = fixture_end(f);
	note_list_init(notes);
	session_facts_doubts(profile, notes);
	profile_free(profile);
}

/*
 * Returns whether a step that used `used` ms, of which exact ns were seen, is
 * reported as seen in part.
 */
static bool says_unseen_of(uint64_t used, uint64_t exact, const char *limit)
{
	bool too_little;
	struct note_list notes;
	struct fixture f;

	fixture_init(&f);
	fixture_number(&f, ATTR_CPU_EXACT, exact);
	fixture_number(&f, ATTR_CPU_USER, (used - 80) * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_CPU_SYSTEM, 80 * NSEC_PER_MSEC);
	hear_doubts(&f, limit, &notes);
	too_little = says_too_little(&notes);
	assert_true(too_little != have_note(&notes, 6012));
	return !too_little;
}

static bool says_unseen(uint64_t exact, const char *limit)
{
	return says_unseen_of(880, exact, limit);
}

/* Returns whether notes say that tasks executed for longer than the system counted. */
static bool says_excess(uint64_t exact, uint64_t used, const char *limit)
{
	struct note_list notes;
	struct fixture f;
	bool told;

	fixture_init(&f);
	fixture_number(&f, ATTR_CPU_EXACT, exact * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_CPU_USER, used * NSEC_PER_MSEC);
	hear_doubts(&f, limit, &notes);
	told = have_note(&notes, 6017);
	note_list_release(&notes);
	return told;
}

static void more_than_the_system_counted_is_told(void **state UNUSED)
{
	assert_true(says_excess(1041, 1000, "NOLIMIT"));
	assert_false(says_excess(1040, 1000, "NOLIMIT"));
	assert_false(says_excess(21, 10, "NOLIMIT"));
	assert_false(says_excess(2000, 1000, "2 QUIT"));
	assert_false(says_excess(2000, 0, "NOLIMIT"));
}

static void cpu_time_that_was_not_seen_is_told(void **state UNUSED)
{
	assert_true(says_unseen(6 * NSEC_PER_MSEC, "NOLIMIT"));
	assert_true(says_unseen(440 * NSEC_PER_MSEC, "NOLIMIT"));
	assert_false(says_unseen(441 * NSEC_PER_MSEC, "NOLIMIT"));
	assert_false(says_unseen(900 * NSEC_PER_MSEC, "NOLIMIT"));
	assert_false(says_unseen(6 * NSEC_PER_MSEC, "2 QUIT"));
	/* A small missing amount is ignored, whatever fraction it is. */
	assert_false(says_unseen_of(150, 50 * NSEC_PER_MSEC, "NOLIMIT"));
	assert_true(says_unseen_of(151, 50 * NSEC_PER_MSEC, "NOLIMIT"));
}

/*
 * Returns whether a step that used 1000 ms has a note on CPU time without samples;
 * *missing is that time.
 */
static bool says_missing(unsigned samples, const char *limit, uint64_t *missing, bool *known)
{
	struct profile *profile;
	struct note_list notes;
	struct fixture f;

	fixture_init(&f);
	fixture_number(&f, ATTR_CPU_EXACT, 990 * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_CPU_USER, 900 * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_CPU_SYSTEM, 100 * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_PERIOD, NSEC_PER_MSEC);
	fixture_number(&f, ATTR_COMPLETE, 1);
	fixture_attribute(&f, ATTR_REQUEST_LIMIT, limit);
	fixture_samples(&f, samples, 0, 1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	*known = session_facts_missing(profile, missing);
	note_list_init(&notes);
	session_facts_doubts(profile, &notes);
	profile_free(profile);
	return have_note(&notes, 6016);
}

static void cpu_time_in_no_report_is_told(void **state UNUSED)
{
	uint64_t missing;
	bool known;

	/* The margin is about 3 percent. */
	assert_true(says_missing(900, "NOLIMIT", &missing, &known));
	assert_true(known);
	assert_int_equal(missing, 100 * NSEC_PER_MSEC);
	assert_false(says_missing(980, "NOLIMIT", &missing, &known));
	assert_int_equal(missing, 20 * NSEC_PER_MSEC);
	assert_false(says_missing(1100, "NOLIMIT", &missing, &known));
	assert_true(known);
	assert_int_equal(missing, 0);
	assert_false(says_missing(900, "2 QUIT", &missing, &known));
	assert_false(known);
}

/* Checks what samples of 1 ms stand for in a step that used 1000 ms. */
static void samples_never_stand_for_more_than_the_step_used(void **state UNUSED)
{
	const unsigned expected[][3] = {
		{ 900, 1, 900 }, { 1000, 1, 1000 }, { 1250, 1, 1000 }, { 1250, 0, 1250 }
	};

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		const unsigned samples = expected[i][0];
		struct profile *profile;
		struct fixture f;

		fixture_init(&f);
		fixture_number(&f, ATTR_CPU_EXACT, 990 * NSEC_PER_MSEC);
		fixture_number(&f, ATTR_CPU_USER, 1000 * NSEC_PER_MSEC);
		fixture_number(&f, ATTR_PERIOD, NSEC_PER_MSEC);
		/* For an aborted session it is unknown what the step used. */
		fixture_number(&f, ATTR_COMPLETE, expected[i][1]);
		fixture_attribute(&f, ATTR_REQUEST_LIMIT, "NOLIMIT");
		fixture_samples(&f, samples, 0, 1, 0, 0);
		fixture_end_snapshot(&f);
		profile = fixture_end(&f);
		assert_int_equal(session_facts_sampled(profile, samples),
				 expected[i][2] * NSEC_PER_MSEC);
		assert_int_equal(session_facts_sampled(profile, samples / 2),
				 expected[i][2] * NSEC_PER_MSEC / 2);
		profile_free(profile);
	}
}

/* A run that could hardly be observed is as long as the session was. */
static void a_run_that_was_not_seen_is_not_short(void **state UNUSED)
{
	const struct record_step step = { .time = 1000 + NSEC_PER_MSEC, .interval = NSEC_PER_MSEC };
	struct profile *profile;
	uint64_t observed;
	struct fixture f;

	for (uint64_t exact = 6 * NSEC_PER_MSEC; exact <= 900 * NSEC_PER_MSEC; exact *= 150) {
		fixture_init(&f);
		fixture_number(&f, ATTR_START, 1000);
		fixture_number(&f, ATTR_END, 1000 + 2 * NSEC_PER_SEC);
		fixture_number(&f, ATTR_CPU_EXACT, exact);
		fixture_number(&f, ATTR_CPU_USER, 900 * NSEC_PER_MSEC);
		fixture_number(&f, ATTR_COMPLETE, 1);
		fixture_attribute(&f, ATTR_REQUEST_LIMIT, "NOLIMIT");
		fixture_add(&f, RECORD_STEP, &step);
		fixture_end_snapshot(&f);
		profile = fixture_end(&f);
		assert_int_equal(session_facts_elapsed(profile, &observed),
				 exact < 100 * NSEC_PER_MSEC ? 2 * NSEC_PER_SEC : NSEC_PER_MSEC);
		assert_int_equal(observed, NSEC_PER_MSEC);
		profile_free(profile);
	}
}

/* What the step used while the session was paused is neither missing nor part of the session. */
static void cpu_time_of_a_pause_is_not_the_sessions(void **state UNUSED)
{
	struct profile *profile;
	struct note_list notes;
	struct fixture f;

	fixture_init(&f);
	fixture_number(&f, ATTR_CPU_EXACT, 6 * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_CPU_USER, 800 * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_COMPLETE, 1);
	fixture_number(&f, ATTR_PAUSED, NSEC_PER_SEC);
	fixture_attribute(&f, ATTR_REQUEST_LIMIT, "NOLIMIT");
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	note_list_init(&notes);
	session_facts_doubts(profile, &notes);
	assert_false(have_note(&notes, 6012));
	assert_int_equal(session_facts_cpu_time(profile), 6 * NSEC_PER_MSEC);
	profile_free(profile);
}

/* A session of events alone has no exact CPU time, and lacks none. */
static void cpu_time_of_events_is_not_missing(void **state UNUSED)
{
	const struct record_event_site site = { .site = 1, .type = EVENT_PS };
	const struct record_event_sum sum = { .site = 1, .hits = 3, .cpu = 5, .elapsed = 5 };
	struct profile *profile;
	struct note_list notes;
	struct fixture f;

	fixture_init(&f);
	fixture_number(&f, ATTR_CPU_USER, 800 * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_COMPLETE, 1);
	fixture_attribute(&f, ATTR_REQUEST_LIMIT, "NOLIMIT");
	fixture_add(&f, RECORD_EVENT_SITE, &site);
	fixture_add(&f, RECORD_EVENT_SUM, &sum);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	note_list_init(&notes);
	session_facts_doubts(profile, &notes);
	assert_false(have_note(&notes, 6012));
	note_list_release(&notes);
	profile_free(profile);
}

/*
 * Returns whether samples are reported as not adding up: 100 in the file, and the
 * counters as given.
 */
static bool says_uneven(bool complete, uint64_t taken, uint64_t processed)
{
	struct record_sample sample = { .task = 1 };
	struct profile *profile;
	struct note_list notes;
	struct fixture f;

	fixture_init(&f);
	fixture_number(&f, ATTR_TAKEN, taken);
	fixture_number(&f, ATTR_PROCESSED, processed);
	fixture_number(&f, ATTR_THINNED, 7);
	fixture_number(&f, ATTR_LOST, 3);
	fixture_number(&f, ATTR_COMPLETE, complete);
	for (uint64_t i = 0; i < 100; i++)
		fixture_add(&f, RECORD_SAMPLE, &sample);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	note_list_init(&notes);
	session_facts_doubts(profile, &notes);
	profile_free(profile);
	return have_note(&notes, 6004);
}

static void samples_must_add_up(void **state UNUSED)
{
	assert_false(says_uneven(true, 110, 100));
	assert_true(says_uneven(true, 109, 100));
	assert_true(says_uneven(true, 111, 101));
	assert_true(says_uneven(true, 109, 99));
	/* The counters of an aborted session are older than its samples, never newer. */
	assert_false(says_uneven(false, 110, 100));
	assert_false(says_uneven(false, 60, 50));
	assert_true(says_uneven(false, 111, 101));
}

/* Returns whether a session with one collector has a note of a number. */
static bool says_of_collector(const struct record_collector *collector, unsigned number)
{
	struct profile *profile;
	struct note_list notes;
	struct fixture f;

	fixture_init(&f);
	fixture_add(&f, RECORD_COLLECTOR, collector);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	note_list_init(&notes);
	session_facts_notes(profile, &notes);
	profile_free(profile);
	return have_note(&notes, number);
}

static void many_rejected_and_late_answers_are_told(void **state UNUSED)
{
	struct record_collector collector = { .collector = 1, .loaded = 1 };

	assert_false(says_of_collector(&collector, 6102));
	collector.calls = 100;
	collector.outside = 3;
	collector.torn = 1;
	assert_false(says_of_collector(&collector, 6102));
	collector.torn = 2;
	assert_true(says_of_collector(&collector, 6102));
	collector.delay = 5 * NSEC_PER_MSEC - 1;
	assert_false(says_of_collector(&collector, 6104));
	collector.delay = 5 * NSEC_PER_MSEC;
	assert_true(says_of_collector(&collector, 6104));
	collector.late = 5;
	assert_false(says_of_collector(&collector, 6105));
	collector.late = 6;
	assert_true(says_of_collector(&collector, 6105));
}

/* A session's own notes keep severity and number, unless a damaged row has impossible ones. */
static void notes_of_a_session_are_passed_on(void **state UNUSED)
{
	static const struct {
		uint64_t severity, number;
		enum severity said;
		unsigned said_number;
	} cases[] = {
		{ SEVERITY_INFO, 3420, SEVERITY_INFO, 3420 },
		{ SEVERITY_WARNING, 9999, SEVERITY_WARNING, 9999 },
		{ SEVERITY_SEVERE, 10000, SEVERITY_SEVERE, 0 },
		{ 2, 1, SEVERITY_WARNING, 1 },
		{ 7, 1, SEVERITY_WARNING, 1 },
		{ SEVERITY_SEVERE + 4, 1, SEVERITY_WARNING, 1 },
	};
	struct profile *profile;
	struct note_list notes;
	struct fixture f;

	fixture_init(&f);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct record_note note = { .severity = cases[i].severity,
					    .number = cases[i].number,
					    .text = fixture_string(&f, "so it is") };

		fixture_add(&f, RECORD_NOTE, &note);
	}
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	note_list_init(&notes);
	session_facts_notes(profile, &notes);
	assert_int_equal(notes.count, ARRAY_SIZE(cases));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(notes.items[i].severity, cases[i].said);
		assert_int_equal(notes.items[i].number, cases[i].said_number);
		assert_string_equal(notes.items[i].text, "so it is");
	}
	note_list_release(&notes);
	profile_free(profile);
}

/* Checks the last note of a session with this many objects whose names are missing. */
static void assert_missing_names(size_t objects, size_t count, const char *last)
{
	struct profile *profile;
	struct note_list notes;
	struct fixture f;

	fixture_init(&f);
	for (size_t i = 0; i < objects; i++)
		fixture_object(&f, OBJECT_FILE, "/opt/pay/a.so", "it is stripped");
	fixture_object(&f, OBJECT_FILE, "/opt/pay/b.so", "");
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	note_list_init(&notes);
	session_facts_notes(profile, &notes);
	assert_int_equal(notes.count, count);
	assert_string_equal(notes.items[count - 1].text, last);
	note_list_release(&notes);
	profile_free(profile);
}

static void twelve_objects_without_names_are_listed(void **state UNUSED)
{
	assert_missing_names(12, 12, "/opt/pay/a.so: it is stripped");
	assert_missing_names(13, 13, "names are missing in 1 more object; see PUP");
	assert_missing_names(20, 13, "names are missing in 8 more objects; see PUP");
}

/*
 * Returns whether a note of a number is given for 1000 samples with this many
 * broken stacks or lost samples.
 */
static bool says(unsigned number, uint64_t broken, uint64_t lost)
{
	struct profile *profile;
	struct note_list notes;
	struct fixture f;
	bool said = false;

	fixture_init(&f);
	fixture_number(&f, ATTR_TAKEN, 1000 + lost);
	fixture_number(&f, ATTR_PROCESSED, 1000);
	fixture_number(&f, ATTR_LOST, lost);
	fixture_number(&f, ATTR_COMPLETE, 1);
	fixture_samples(&f, 1000 - broken, 0, 1, 0, 0);
	fixture_samples(&f, broken, 0, 1, SAMPLE_BROKEN, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	note_list_init(&notes);
	session_facts_doubts(profile, &notes);
	for (size_t i = 0; i < notes.count; i++)
		said = said || notes.items[i].number == number;
	note_list_release(&notes);
	profile_free(profile);
	return said;
}

/* For 1000 samples the margin is 3.1 %. */
static void broken_stacks_and_lost_samples_are_told_beyond_the_margin(void **state UNUSED)
{
	assert_false(says(6013, 30, 0));
	assert_true(says(6013, 32, 0));
	assert_false(says(6013, 1000, 0));
	assert_false(says(6014, 32, 30));
	assert_true(says(6014, 0, 33));
}

/*
 * Returns whether a note says that, of one second of CPU time, this many ms were
 * spent in this many switches.
 */
static bool says_switching(uint64_t between, uint64_t switches)
{
	struct profile *profile;
	struct note_list notes;
	struct fixture f;
	bool said = false;

	fixture_init(&f);
	fixture_number(&f, ATTR_CPU_EXACT, (1000 - between) * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_CPU_USER, 1000 * NSEC_PER_MSEC);
	fixture_number(&f, ATTR_SWITCHES, switches);
	fixture_number(&f, ATTR_COMPLETE, 1);
	fixture_attribute(&f, ATTR_REQUEST_LIMIT, "NOLIMIT");
	fixture_samples(&f, 1000, 0, 1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	note_list_init(&notes);
	session_facts_doubts(profile, &notes);
	for (size_t i = 0; i < notes.count; i++)
		said = said || notes.items[i].number == 6015;
	note_list_release(&notes);
	profile_free(profile);
	return said;
}

static void time_between_switches_is_told(void **state UNUSED)
{
	assert_true(says_switching(100, 200000));
	assert_true(says_switching(30, 10000));
	assert_false(says_switching(29, 200000));
	assert_false(says_switching(100, 9999));
}

/* Returns the ns of rusage beyond switch records; UINT64_MAX if unknown. */
static uint64_t beyond_switches(const char *limit, const char *privilege, uint64_t rusage)
{
	struct profile *profile;
	struct fixture f;
	uint64_t beyond;

	fixture_init(&f);
	fixture_number(&f, ATTR_CPU_EXACT, 900);
	fixture_number(&f, ATTR_CPU_USER, rusage);
	fixture_number(&f, ATTR_COMPLETE, 1);
	fixture_attribute(&f, ATTR_REQUEST_LIMIT, limit);
	fixture_attribute(&f, ATTR_PRIVILEGE, privilege);
	fixture_samples(&f, 1000, 0, 1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	if (!session_facts_beyond_switches(profile, &beyond))
		beyond = UINT64_MAX;
	profile_free(profile);
	return beyond;
}

static void time_beyond_switches_is_told_where_it_is_known(void **state UNUSED)
{
	assert_int_equal(beyond_switches("NOLIMIT", "FULL", 1000), 100);
	assert_int_equal(beyond_switches("NOLIMIT", "USER", 899), 0);
	assert_int_equal(beyond_switches("LIMIT", "FULL", 1000), UINT64_MAX);
	assert_int_equal(beyond_switches("NOLIMIT", "PROC", 1000), UINT64_MAX);
	assert_int_equal(beyond_switches("NOLIMIT", "FULL", 0), UINT64_MAX);
}

/* The more samples are derived from one, the wider the margin. */
static void lost_samples_made_like_one_widen_margins_more(void **state UNUSED)
{
	/* 100 samples of 1 ms each were lost: derived from as many others, or all from four. */
	const uint64_t expected[][2] = { { 0, 833 },
					 { 100 * 1000000, 833 },
					 { 2500 * UINT64_C(1000000), 277 } };

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		struct profile *profile;
		struct fixture f;

		fixture_init(&f);
		fixture_samples(&f, 900, 0, 1, 0, 0);
		fixture_number(&f, ATTR_PERIOD, 1000000);
		fixture_number(&f, ATTR_LOST, 100);
		fixture_number(&f, ATTR_LOST_SQUARES, expected[i][0]);
		for (unsigned count = 100; count > 0; count--) {
			const struct record_sample row = { .task = 1, .kind = SAMPLE_RESIDUE };

			fixture_add(&f, RECORD_SAMPLE, &row);
		}
		fixture_end_snapshot(&f);
		profile = fixture_end(&f);
		assert_int_equal(profile->independent, expected[i][1]);
		profile_free(profile);
	}
}

/* Samples derived from others add no information. */
static void made_samples_widen_margins(void **state UNUSED)
{
	const uint64_t expected[][3] = {
		{ 1000, 0, 1000 }, { 900, 100, 833 }, { 100, 900, 100 }, { 0, 1000, 1000 }
	};

	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		struct profile *profile;
		struct fixture f;

		fixture_init(&f);
		fixture_samples(&f, expected[i][0], 0, 1, 0, 0);
		for (uint64_t count = expected[i][1]; count > 0; count--) {
			const struct record_sample row = { .task = 1, .kind = SAMPLE_RESIDUE };

			fixture_add(&f, RECORD_SAMPLE, &row);
		}
		fixture_end_snapshot(&f);
		profile = fixture_end(&f);
		assert_int_equal(profile->independent, expected[i][2]);
		assert_true(profile_margin(profile) == 100 * margin_of_share(0.5, (double)expected[i][2]));
		profile_free(profile);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_cut_off_took_at_least_what_is_in_its_file),
		cmocka_unit_test(more_than_the_system_counted_is_told),
		cmocka_unit_test(cpu_time_that_was_not_seen_is_told),
		cmocka_unit_test(cpu_time_in_no_report_is_told),
		cmocka_unit_test(broken_stacks_and_lost_samples_are_told_beyond_the_margin),
		cmocka_unit_test(samples_never_stand_for_more_than_the_step_used),
		cmocka_unit_test(a_run_that_was_not_seen_is_not_short),
		cmocka_unit_test(time_between_switches_is_told),
		cmocka_unit_test(time_beyond_switches_is_told_where_it_is_known),
		cmocka_unit_test(made_samples_widen_margins),
		cmocka_unit_test(lost_samples_made_like_one_widen_margins_more),
		cmocka_unit_test(cpu_time_of_a_pause_is_not_the_sessions),
		cmocka_unit_test(cpu_time_of_events_is_not_missing),
		cmocka_unit_test(samples_must_add_up),
		cmocka_unit_test(many_rejected_and_late_answers_are_told),
		cmocka_unit_test(notes_of_a_session_are_passed_on),
		cmocka_unit_test(twelve_objects_without_names_are_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
