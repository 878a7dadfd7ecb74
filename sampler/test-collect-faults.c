/* SPDX-License-Identifier: Apache-2.0 */
/* test tags: exact, limit:240 */
/*
 * Tests data collectors that are missing or misbehave: they are switched off with
 * a sentence, and the measurement of the step continues. The program runs until
 * that has happened.
 */
#include "common/compat.h"
#include "records/record-types.h"
#include "sampler/test-trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static bool half_is_seen(const struct trial *trial)
{
	return session_samples_in(&trial->session, "half") > 0;
}

static void a_missing_one_has_a_row_that_says_so(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial.count = 1;
	trial.list[0] = (struct sampler_collector){ "STRBGONE", "", "", "it is not there",
						    COLLECTOR_NAMED };
	trial_measure_until(&trial, half_is_seen);
	assert_string_equal(trial_problem(&trial), "it is not there");
	trial_finish(&trial);
}

/* Returns whether the collector is off and a hundred samples were taken since. */
static bool went_on_without_it(const struct trial *trial)
{
	static const struct trial *last;
	static uint64_t from;
	uint64_t now = trial->session.rows[RECORD_SAMPLE].count;

	if (last != trial || !*trial_problem(trial)) {
		last = trial;
		from = now;
	}
	return *trial_problem(trial) && now >= from + 100 &&
	       session_samples_in(&trial->session, "half") > 0;
}

/*
 * Checks that a collector that misbehaves is switched off with a sentence, and
 * that the measurement continues.
 */
static void check_cut_off(const char *words, const char *problem)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, words);
	/* Samples are counted: none may be omitted first because of the collector's cost. */
	trial.session.config.cost = 100;
	trial_measure_until(&trial, went_on_without_it);
	if (!strstr(trial_problem(&trial), problem))
		fail_msg("\"%s\" is not \"%s\"", trial_problem(&trial), problem);
	/* The CPU time that it used before counts. */
	assert_true(sampler_collector_cpu(trial.session.sampler) > 0);
	trial_finish(&trial);
}

static void one_that_crashes_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=crash",
		      "its process was killed by signal 11 (SIGSEGV) in its entry point");
}

static void one_that_ends_its_process_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=exit", "its process exited with status 3 in its entry point");
}

static void one_that_scribbles_over_the_shared_memory_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=scribble", "its process exited with status 9");
}

static void one_that_does_not_return_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=spin", "it did not return");
}

static void one_that_takes_long_is_switched_off(void **state UNUSED)
{
	/* 2 ms by its own clock, plus what other processes and a hypervisor take. */
	check_cut_off("do=slow", "ms of CPU time per call on average (last 200 calls)");
}

static void one_that_leaks_memory_is_switched_off(void **state UNUSED)
{
	check_cut_off("do=leak", "it leaks memory: ");
}

static bool other_went_on(const struct trial *trial)
{
	return *trial_problem(trial) && trial_samples(trial, "OTHER") > 0;
}

static void one_that_names_without_end_is_switched_off(void **state UNUSED)
{
	struct trial trial;
	struct record_collector row;

	trial_begin(&trial);
	trial.session.config.collector_names = 4;
	trial_add_rules(&trial, "do=names module=M");
	trial_add(&trial, "tests/collectors/rules-second.so", "module=OTHER")->name = "STRBSECO";
	trial_measure_until(&trial, other_went_on);
	row = trial_row(&trial, 1);
	assert_string_equal(
		trial_problem(&trial),
		"its names use too much memory: 4 MB of modules, places and transactions");
	assert_in_range(row.answers, 20, 500);
	/* The other one continues. */
	assert_string_equal(session_text(&trial.session, trial_row(&trial, 2).problem), "");
	trial_finish(&trial);
}

static bool one_was_late(const struct trial *trial)
{
	return trial_row(trial, 1).late > 0 && trial_row(trial, 1).calls > 21;
}

static void samples_it_is_too_late_for_are_counted(void **state UNUSED)
{
	struct trial trial;

	trial_begin(&trial);
	trial_add_rules(&trial, "do=late");
	trial_measure_until(&trial, one_was_late);
	assert_string_equal(trial_problem(&trial), "");
	trial_finish(&trial);
}

static bool one_was_held(const struct trial *trial)
{
	return trial_row(trial, 1).held > 0;
}

static void nothing_of_a_program_that_is_held_is_harmed(void **state UNUSED)
{
	const char *options = getenv("ASAN_OPTIONS");
	char *before = options ? strdup(options) : NULL;
	struct trial trial;

	/*
	 * A program that is held cannot stop its own threads, as the search for leaks at its end
	 * would.
	 */
	setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
	trial_begin(&trial);
	trial_add(&trial, "tests/collectors/rules-hold.so", "");
	trial.enough = one_was_held;
	trial_measure(&trial, "signals", "200", trial.enough_file, NULL);
	assert_true(trial.came);
	trial_finish(&trial);
	if (before)
		setenv("ASAN_OPTIONS", before, 1);
	else
		unsetenv("ASAN_OPTIONS");
	free(before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missing_one_has_a_row_that_says_so),
		cmocka_unit_test(one_that_crashes_is_switched_off),
		cmocka_unit_test(one_that_ends_its_process_is_switched_off),
		cmocka_unit_test(one_that_scribbles_over_the_shared_memory_is_switched_off),
		cmocka_unit_test(one_that_does_not_return_is_switched_off),
		cmocka_unit_test(one_that_takes_long_is_switched_off),
		cmocka_unit_test(one_that_leaks_memory_is_switched_off),
		cmocka_unit_test(one_that_names_without_end_is_switched_off),
		cmocka_unit_test(samples_it_is_too_late_for_are_counted),
		cmocka_unit_test(nothing_of_a_program_that_is_held_is_harmed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
