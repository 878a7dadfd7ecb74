/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the run-queue time subtracted from waits: with a task whose schedstat is a
 * file of the test.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "sampler/files.h"
#include "sampler/perf.h"
#include "sampler/tasks.h"
#include "sampler/waits.h"
#include "step/transactions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define TASK 10
#define MS NSEC_PER_MSEC

static const struct wait_site here = { .stack = 3, .reason = WAIT_SLEEP };
static const struct wait_site there = { .stack = 4, .reason = WAIT_SLEEP };

struct step {
	char folder[64], file[128];
	struct step_clock clock;
	struct step_tasks step_tasks;
	struct tasks tasks;
	struct files *files;
	struct transactions *transactions;
	struct perf perf;
	enum privilege privilege;
	struct waits waits;
	struct task *task;
};

/* Sets the kernel's sum of the time that the task was ready. */
static void ready(const struct step *step, uint64_t delay)
{
	FILE *file = fopen(step->file, "w");

	assert_non_null(file);
	fprintf(file, "12345 %" PRIu64 " 7\n", delay);
	assert_int_equal(fclose(file), 0);
}

static void make_folder(const struct step *step, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", step->folder, name);
	assert_int_equal(mkdir(path, 0700), 0);
}

static int begin(void **state)
{
	struct step *step = xcalloc(1, sizeof(*step));

	snprintf(step->folder, sizeof(step->folder), "/tmp/vigil-delay-XXXXXX");
	assert_non_null(mkdtemp(step->folder));
	snprintf(step->file, sizeof(step->file), "%s/proc/10/task/10/schedstat", step->folder);
	make_folder(step, "proc");
	make_folder(step, "proc/10");
	make_folder(step, "proc/10/task");
	make_folder(step, "proc/10/task/10");
	procfs_set_root(step->folder);
	step->privilege = PRIVILEGE_USER;
	step_clock_init(&step->clock, 0);
	step_tasks_init(&step->step_tasks);
	tasks_init(&step->tasks, &step->step_tasks);
	step->files = files_new(NULL, 0);
	step->transactions = transactions_new(NULL);
	waits_init(&step->waits, &(struct waits_parts){
					 .clock = &step->clock,
					 .files = step->files,
					 .transactions = step->transactions,
					 .perf = &step->perf,
					 .privilege = &step->privilege,
				 });
	step->task = tasks_add_task(&step->tasks, tasks_add_process(&step->tasks, TASK, NULL, 0),
				    TASK, "one", 0);
	ready(step, 0);
	wait_delay_begin(step->task, false);
	*state = step;
	return 0;
}

static int finish(void **state)
{
	static const char *const names[] = { "/proc/10/task/10/schedstat",
					     "/proc/10/task/10",
					     "/proc/10/task",
					     "/proc/10",
					     "/proc",
					     "" };
	struct step *step = *state;
	char path[128];

	procfs_set_root(NULL);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "%s%s", step->folder, names[i]);
		remove(path);
	}
	waits_release(&step->waits);
	transactions_free(step->transactions);
	files_free(step->files);
	tasks_release(&step->tasks);
	step_tasks_release(&step->step_tasks);
	free(step);
	return 0;
}

/* The task waits for length at a place, and is looked at. */
static void waits(struct step *step, const struct wait_site *site, uint64_t length)
{
	uint64_t now = step->clock.now;

	step->task->state = TASK_BLOCKED;
	waits_open(&step->waits, step->task, false);
	step_clock_advance(&step->clock, now + length / 2);
	waits_locate(&step->waits, step->task, &(struct wait_look){ .site = *site, .from = now + length / 2, .until = now + length / 2 });
	step_clock_advance(&step->clock, now + length);
	waits_close(&step->waits, step->task, true);
	step->task->state = TASK_RUNNING;
	step->task->since = step->clock.active;
}

/* It is preempted for length. */
static void is_driven_off(struct step *step, uint64_t length)
{
	step->task->state = TASK_PREEMPTED;
	waits_open(&step->waits, step->task, true);
	step_clock_advance(&step->clock, step->clock.now + length);
	waits_close(&step->waits, step->task, true);
	step->task->state = TASK_RUNNING;
}

/* Returns what a snapshot shows of a place and a reason. */
static struct record_wait shown(const struct recordset *set, const struct wait_site *site,
				enum wait_reason reason)
{
	struct record_wait sum = { 0 };

	for (size_t i = 0; i < set->count; i++) {
		const struct record_wait *row = recordset_get(set, i);

		if (row->stack != site->stack || row->reason != reason)
			continue;
		sum.count += row->count;
		sum.total += row->total;
		sum.charged += row->charged;
		sum.variance += row->variance;
	}
	return sum;
}

static void snapshot(struct step *step, struct recordset *set)
{
	recordset_init(set, &record_types[RECORD_WAIT]);
	waits_rows(&step->waits, &step->tasks, step->clock.now, false, set);
}

static void ready_time_is_no_wait(void **state)
{
	struct step *step = *state;
	struct recordset set;

	for (int i = 0; i < 10; i++)
		waits(step, &here, 10 * MS);
	is_driven_off(step, 7 * MS);
	ready(step, 40 * MS + 7 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 60 * MS);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).charged, 60 * MS);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).count, 10);
	assert_int_equal(shown(&set, &here, WAIT_DISPATCH).total, 40 * MS);
	assert_int_equal(shown(&set, &here, WAIT_DISPATCH).count, 10);
	/* A single place is exact. */
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).variance, 0);
	assert_int_equal(step->waits.ready, 40 * MS);
	assert_int_equal(step->task->wait, 60 * MS);
	assert_int_equal(step->task->delay, 47 * MS);
	recordset_release(&set);
}

static void places_have_it_by_their_number_of_waits(void **state)
{
	struct step *step = *state;
	struct recordset set;
	double deviation;

	for (int i = 0; i < 10; i++) {
		waits(step, &here, 10 * MS);
		for (int j = 0; j < 3; j++)
			waits(step, &there, 5 * MS);
	}
	ready(step, 80 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 80 * MS);
	assert_int_equal(shown(&set, &there, WAIT_SLEEP).total, 90 * MS);
	/* There is no data yet on how 2 ms for each of 40 vary: 4 ms, of 10 with 30 others. */
	deviation = sqrt((double)shown(&set, &here, WAIT_SLEEP).variance) / 1000;
	assert_true(fabs(deviation - 4 * sqrt(10 * 0.75)) < 0.01);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).variance,
			 shown(&set, &there, WAIT_SLEEP).variance);
	recordset_release(&set);
}

/* The task waits for length at a place that the kernel reported. */
static void waits_reported_at(struct step *step, const struct wait_site *site, bool again,
			  uint64_t length)
{
	uint64_t now = step->clock.now;

	waits_leave(step->task, site, again);
	step->task->state = TASK_BLOCKED;
	waits_open(&step->waits, step->task, false);
	step_clock_advance(&step->clock, now + length);
	waits_close(&step->waits, step->task, true);
	step->task->state = TASK_RUNNING;
	step->task->since = step->clock.active;
}

/* No look ever sees some waits: they get their part of the delay once. */
static void waits_that_stay_missed_have_their_part_once(void **state)
{
	struct step *step = *state;
	struct recordset set;

	for (int i = 0; i < 30; i++)
		waits_reported_at(step, NULL, false, MS);
	for (uint64_t turn = 1; turn <= 3; turn++) {
		for (int i = 0; i < 10; i++)
			waits_reported_at(step, &here, false, 10 * MS);
		ready(step, turn == 1 ? 40 * MS : 40 * MS + 80 * (turn - 1) * MS);
		snapshot(step, &set);
		assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, turn == 1 ? 90 * MS : 20 * MS);
		assert_int_equal(shown(&set, &here, WAIT_DISPATCH).total, turn == 1 ? 10 * MS : 80 * MS);
		recordset_release(&set);
	}
}

/* Each sleep in a call has its own delay, and the call is one wait. */
static void a_call_is_ready_as_often_as_it_sleeps(void **state)
{
	struct step *step = *state;
	struct recordset set;

	for (int i = 0; i < 10; i++) {
		for (int part = 0; part < 3; part++)
			waits_reported_at(step, &here, part > 0, 4 * MS);
		waits_reported_at(step, &there, false, 4 * MS);
	}
	ready(step, 80 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).count, 10);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 60 * MS);
	assert_int_equal(shown(&set, &there, WAIT_SLEEP).count, 10);
	assert_int_equal(shown(&set, &there, WAIT_SLEEP).total, 20 * MS);
	recordset_release(&set);
}

static void little_is_kept_until_it_is_more(void **state)
{
	struct step *step = *state;
	struct recordset set;

	for (uint64_t i = 1; i <= 3; i++) {
		waits(step, &here, 200 * MS);
		ready(step, i * 400000);
		snapshot(step, &set);
		assert_int_equal(shown(&set, &here, WAIT_SLEEP).total,
				 i < 3 ? 200 * MS : 200 * MS - 1200000);
		recordset_release(&set);
	}
}

/* A wait of 50 ms, the last 20 of them ready, of which a snapshot has shown 45 already. */
static void a_wait_cut_off_by_a_snapshot_owes_its_delay_to_its_place(void **state)
{
	struct step *step = *state;
	struct recordset set;

	step->task->state = TASK_BLOCKED;
	waits_open(&step->waits, step->task, false);
	step_clock_advance(&step->clock, step->clock.now + 20 * MS);
	waits_locate(&step->waits, step->task, &(struct wait_look){ .site = here, .from = step->clock.now, .until = step->clock.now });
	step_clock_advance(&step->clock, step->clock.now + 25 * MS);
	waits_close(&step->waits, step->task, false);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 45 * MS);
	recordset_release(&set);
	step_clock_advance(&step->clock, step->clock.now + 5 * MS);
	waits_close(&step->waits, step->task, true);
	step->task->state = TASK_RUNNING;
	ready(step, 20 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 0);
	assert_int_equal(shown(&set, &here, WAIT_DISPATCH).total, 5 * MS);
	recordset_release(&set);
	/* The next one was not delayed. */
	waits(step, &there, 50 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &there, WAIT_SLEEP).total, 50 * MS);
	recordset_release(&set);
	waits(step, &here, 50 * MS);
	waits(step, &there, 50 * MS);
	ready(step, 22 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 34 * MS);
	assert_int_equal(shown(&set, &here, WAIT_DISPATCH).total, 16 * MS);
	assert_int_equal(shown(&set, &there, WAIT_SLEEP).total, 49 * MS);
	recordset_release(&set);
}

/*
 * Two short waits and a long one, delayed for 30 ms together: the short ones were
 * delayed for at most 2 ms.
 */
static void no_wait_is_delayed_for_longer_than_it_lasted(void **state)
{
	struct step *step = *state;
	struct recordset set;

	waits(step, &there, MS);
	waits(step, &there, MS);
	waits(step, &here, 50 * MS);
	ready(step, 30 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &there, WAIT_DISPATCH).total, 2 * MS);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 22 * MS);
	recordset_release(&set);
}

static void the_last_waits_of_a_task_have_the_delay_of_others(void **state)
{
	struct step *step = *state;
	struct recordset set;

	for (int i = 0; i < 10; i++)
		waits(step, &here, 10 * MS);
	ready(step, 30 * MS);
	snapshot(step, &set);
	recordset_release(&set);
	waits(step, &here, 10 * MS);
	waits(step, &here, 10 * MS);
	step->task->state = TASK_ENDED;
	unlink(step->file);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 14 * MS);
	assert_int_equal(shown(&set, &here, WAIT_DISPATCH).total, 6 * MS);
	recordset_release(&set);
}

static void who_asks_at_the_end_in_time_knows_it_all(void **state)
{
	struct step *step = *state;
	struct recordset set;

	waits(step, &here, 10 * MS);
	waits(step, &here, 10 * MS);
	ready(step, 9 * MS);
	wait_delay_end(step->task);
	step->task->state = TASK_ENDED;
	unlink(step->file);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 11 * MS);
	recordset_release(&set);
}

static void a_first_interval_that_is_the_last_varies_too(void **state)
{
	struct step *step = *state;
	struct recordset set;

	for (int i = 0; i < 10; i++) {
		waits(step, &here, 10 * MS);
		waits(step, &there, 10 * MS);
	}
	ready(step, 40 * MS);
	wait_delay_end(step->task);
	step->task->state = TASK_ENDED;
	unlink(step->file);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 80 * MS);
	/* 20 times 2 ms, of which nothing more is known. */
	assert_true(fabs(sqrt((double)shown(&set, &here, WAIT_SLEEP).variance) / 1000 - 4 * sqrt(10 * 0.5)) < 0.01);
	recordset_release(&set);
}

/* The kernel adds a time of being ready to its sum when it is over, and a snapshot may come before. */
static void who_is_ready_at_a_snapshot_has_waited_no_longer(void **state)
{
	struct step *step = *state;
	struct recordset set;

	for (int i = 0; i < 10; i++)
		waits(step, &here, 10 * MS);
	ready(step, 40 * MS);
	step->task->state = TASK_PREEMPTED;
	waits_open(&step->waits, step->task, true);
	step_clock_advance(&step->clock, step->clock.now + 50 * MS);
	waits_close(&step->waits, step->task, false);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 60 * MS);
	recordset_release(&set);
	step_clock_advance(&step->clock, step->clock.now + 20 * MS);
	waits_close(&step->waits, step->task, true);
	step->task->state = TASK_RUNNING;
	step->task->since = step->clock.active;
	waits(step, &here, 30 * MS);
	ready(step, (40 + 70 + 10) * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 20 * MS);
	recordset_release(&set);
}

static void a_kernel_that_is_ahead_of_the_records_shortens_no_wait(void **state)
{
	struct step *step = *state;
	struct recordset set;

	for (int i = 0; i < 10; i++)
		waits(step, &here, 10 * MS);
	step->task->state = TASK_PREEMPTED;
	waits_open(&step->waits, step->task, true);
	step_clock_advance(&step->clock, step->clock.now + 50 * MS);
	waits_close(&step->waits, step->task, false);
	/* It has the processor by now, after another millisecond. */
	ready(step, (40 + 51) * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 59 * MS);
	recordset_release(&set);
	step_clock_advance(&step->clock, step->clock.now + 1 * MS);
	waits_close(&step->waits, step->task, true);
	step->task->state = TASK_RUNNING;
	step->task->since = step->clock.active;
	waits(step, &here, 30 * MS);
	ready(step, (40 + 51 + 10) * MS);
	snapshot(step, &set);
	/* In all 50 ms of the waits. */
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 21 * MS);
	recordset_release(&set);
}

static void what_was_before_the_session_or_in_its_pause_counts_for_nothing(void **state)
{
	struct step *step = *state;
	struct recordset set;

	ready(step, 500 * MS);
	wait_delay_begin(step->task, true);
	waits(step, &here, 100 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 100 * MS);
	recordset_release(&set);
	step->clock.paused = true;
	step_clock_advance(&step->clock, step->clock.now + 50 * MS);
	step->clock.paused = false;
	ready(step, 540 * MS);
	waits(step, &here, 100 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 100 * MS);
	recordset_release(&set);
	ready(step, 550 * MS);
	waits(step, &here, 100 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 90 * MS);
	recordset_release(&set);
}

static void no_more_is_taken_than_there_is(void **state)
{
	struct step *step = *state;
	struct recordset set;

	waits(step, &here, 10 * MS);
	ready(step, 900 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_SLEEP).total, 0);
	assert_int_equal(shown(&set, &here, WAIT_DISPATCH).total, 10 * MS);
	recordset_release(&set);
}

/*
 * The kernel adds to its sum when a task executes again: while it waits nothing
 * must be read again.
 */
static void a_task_that_still_waits_is_not_read_again(void **state)
{
	struct step *step = *state;
	struct recordset set;

	waits(step, &here, 100 * MS);
	step->task->state = TASK_BLOCKED;
	ready(step, 200000);
	snapshot(step, &set);
	recordset_release(&set);
	/* An impossible value shows that it is not read. */
	ready(step, 20 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_DISPATCH).total, 0);
	recordset_release(&set);
	step->task->switches++;
	waits(step, &here, 100 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_DISPATCH).total, 20 * MS);
	recordset_release(&set);
}

/* Executions in a pause are not counted. */
static void a_task_is_read_again_after_a_pause(void **state)
{
	struct step *step = *state;
	struct recordset set;

	waits(step, &here, 100 * MS);
	step->task->state = TASK_BLOCKED;
	snapshot(step, &set);
	recordset_release(&set);
	step->clock.paused = true;
	step_clock_advance(&step->clock, step->clock.now + 50 * MS);
	step->clock.paused = false;
	ready(step, 40 * MS);
	snapshot(step, &set);
	recordset_release(&set);
	step->task->switches++;
	waits(step, &here, 100 * MS);
	ready(step, 50 * MS);
	snapshot(step, &set);
	assert_int_equal(shown(&set, &here, WAIT_DISPATCH).total, 10 * MS);
	recordset_release(&set);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(ready_time_is_no_wait),
		TEST(places_have_it_by_their_number_of_waits),
		TEST(waits_that_stay_missed_have_their_part_once),
		TEST(a_call_is_ready_as_often_as_it_sleeps),
		TEST(little_is_kept_until_it_is_more),
		TEST(no_wait_is_delayed_for_longer_than_it_lasted),
		TEST(a_wait_cut_off_by_a_snapshot_owes_its_delay_to_its_place),
		TEST(the_last_waits_of_a_task_have_the_delay_of_others),
		TEST(who_asks_at_the_end_in_time_knows_it_all),
		TEST(a_first_interval_that_is_the_last_varies_too),
		TEST(who_is_ready_at_a_snapshot_has_waited_no_longer),
		TEST(a_kernel_that_is_ahead_of_the_records_shortens_no_wait),
		TEST(what_was_before_the_session_or_in_its_pause_counts_for_nothing),
		TEST(no_more_is_taken_than_there_is),
		TEST(a_task_that_still_waits_is_not_read_again),
		TEST(a_task_is_read_again_after_a_pause),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
