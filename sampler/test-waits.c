/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests waits with a step clock, files and one or two tasks, and without a sampler: every sum is
 * known exactly. Tests that depend on whether other tasks execute exist for both cases.
 */
#include "common/compat.h"
#include "sampler/perf.h"
#include "sampler/tasks.h"
#include "sampler/waits.h"
#include "step/transactions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#define LONG_AGO 1000
#define FILE_ID 1 /* of the first file */

/* A step of two tasks. */
struct step {
	struct step_clock clock;
	struct step_tasks step_tasks;
	struct tasks tasks;
	struct files *files;
	struct transactions *transactions;
	struct perf perf;
	enum privilege privilege;
	struct waits waits;
	struct task *first, *second;
};

static const struct wait_site sleep_place = { .stack = 3, .reason = WAIT_SLEEP };
static const struct wait_site child_place = { .stack = 4, .reason = WAIT_CHILD };
static const struct wait_site read_place = { .stack = 5, .reason = WAIT_FILE_READ, .file = FILE_ID };
static const struct wait_site lock_place = { .stack = 6, .reason = WAIT_LOCK, .file = FILE_ID };
static const struct wait_site fault_place = { .stack = 9, .reason = WAIT_PAGE };
static const struct wait_site no_place = { .reason = WAIT_UNKNOWN };

static int begin(void **state)
{
	struct step *step = calloc(1, sizeof(*step));
	struct process *process;

	step->privilege = PRIVILEGE_USER;
	step_clock_init(&step->clock, LONG_AGO);
	step_tasks_init(&step->step_tasks);
	tasks_init(&step->tasks, &step->step_tasks);
	step->files = files_new(NULL, 0);
	if (files_of_path(step->files, getpid(), AT_FDCWD, "/etc/passwd") != FILE_ID)
		return -1;
	step->transactions = transactions_new(NULL);
	waits_init(&step->waits, &(struct waits_parts){
					 .clock = &step->clock,
					 .files = step->files,
					 .transactions = step->transactions,
					 .perf = &step->perf,
					 .privilege = &step->privilege,
				 });
	process = tasks_add_process(&step->tasks, 10, NULL, LONG_AGO);
	step->first = tasks_add_task(&step->tasks, process, 10, "one", LONG_AGO);
	step->second = tasks_add_task(&step->tasks, process, 11, "two", LONG_AGO);
	*state = step;
	return 0;
}

static int finish(void **state)
{
	struct step *step = *state;

	waits_release(&step->waits);
	transactions_free(step->transactions);
	files_free(step->files);
	tasks_release(&step->tasks);
	step_tasks_release(&step->step_tasks);
	free(step);
	return 0;
}

/* A task begins to wait. */
static void opens(struct step *step, struct task *task, uint64_t time, bool preempted)
{
	step_clock_advance(&step->clock, time);
	task->state = preempted ? TASK_PREEMPTED : TASK_BLOCKED;
	waits_open(&step->waits, task, preempted);
}

/* Its wait is over. */
static void closes(struct step *step, struct task *task, uint64_t time)
{
	step_clock_advance(&step->clock, time);
	waits_close(&step->waits, task, true);
	task->state = TASK_RUNNING;
	task->since = step->clock.active;
}

/* A look finds it waiting at a place. */
static void found(struct step *step, struct task *task, uint64_t time, const struct wait_site *site)
{
	step_clock_advance(&step->clock, time);
	waits_locate(&step->waits, task, &(struct wait_look){ .site = *site, .from = time, .until = time });
}

/* A task waits, and no look sees it. */
static void waited(struct step *step, struct task *task, uint64_t from, uint64_t until)
{
	opens(step, task, from, false);
	closes(step, task, until);
}

/* Returns the waits of a task at a place. */
static struct wait_amount at(const struct task *task, const struct wait_site *site)
{
	const struct wait_tallies *tallies = &task->waits.tallies;
	struct wait_amount sum = { 0 };

	for (size_t i = 0; i < tallies->count; i++)
		if (tallies->items[i].site.stack == site->stack &&
		    tallies->items[i].site.reason == site->reason)
			wait_amount_add(&sum, &tallies->items[i].amount);
	return sum;
}

static void assert_amount(const struct wait_amount amount, uint64_t count, uint64_t total,
			  uint64_t charged, uint64_t solo)
{
	assert_int_equal(amount.count, count);
	assert_int_equal(amount.total, total);
	assert_int_equal(amount.charged, charged);
	assert_int_equal(amount.solo, solo);
}

static void a_lone_wait_is_charged_whole(void **state)
{
	struct step *step = *state;

	opens(step, step->first, 2000, false);
	found(step, step->first, 2100, &sleep_place);
	assert_int_equal(step->clock.waiting[CLASS_MAJOR], 1);
	closes(step, step->first, 2400);
	assert_amount(at(step->first, &sleep_place), 1, 400, 400, 400);
	assert_int_equal(step->first->wait, 400);
	assert_int_equal(step->first->activity.charged, 400);
	assert_int_equal(step->first->activity.charged_solo, 400);
	assert_int_equal(step->clock.waiting[CLASS_MAJOR], 0);
}

static void a_wait_beside_an_executing_task_is_charged_nothing(void **state)
{
	struct step *step = *state;

	step_clock_begin_running(&step->clock);
	opens(step, step->first, 2000, false);
	found(step, step->first, 2100, &sleep_place);
	closes(step, step->first, 2400);
	assert_amount(at(step->first, &sleep_place), 1, 400, 0, 0);
	assert_int_equal(step->first->wait, 400);
	assert_int_equal(step->first->activity.charged, 0);
}

static void waits_side_by_side_share(void **state)
{
	struct step *step = *state;

	opens(step, step->first, 2000, false);
	opens(step, step->second, 2100, false);
	found(step, step->first, 2100, &sleep_place);
	found(step, step->second, 2100, &sleep_place);
	closes(step, step->second, 2300);
	closes(step, step->first, 2350);
	assert_amount(at(step->first, &sleep_place), 1, 350, 100 + 100 + 50, 150);
	assert_amount(at(step->second, &sleep_place), 1, 200, 100, 0);
}

static void a_wait_that_turns_out_to_be_minor_keeps_what_it_had(void **state)
{
	struct step *step = *state;

	opens(step, step->first, 2000, false);
	opens(step, step->second, 2100, false);
	/* The first waits for a child, which counts only if nothing else is waited for. */
	found(step, step->first, 2300, &child_place);
	found(step, step->second, 2300, &sleep_place);
	assert_int_equal(step->clock.waiting[CLASS_MAJOR], 1);
	assert_int_equal(step->clock.waiting[CLASS_MINOR], 1);
	closes(step, step->second, 2700);
	closes(step, step->first, 2900);
	assert_amount(at(step->first, &child_place), 1, 900, 100 + 100 + 200, 100 + 200);
	assert_amount(at(step->second, &sleep_place), 1, 600, 100 + 400, 400);
	/* Its next wait is assumed to be like that at once. */
	opens(step, step->first, 3000, false);
	assert_int_equal(step->clock.waiting[CLASS_MINOR], 1);
}

static void waiting_for_a_processor_is_delay(void **state)
{
	struct step *step = *state;
	const struct wait_site where = { .stack = 8, .reason = WAIT_DISPATCH };

	step->first->stack = 8;
	opens(step, step->first, 2000, true);
	closes(step, step->first, 2050);
	assert_int_equal(step->first->delay, 50);
	assert_int_equal(step->first->wait, 0);
	assert_amount(at(step->first, &where), 1, 50, 50, 50);
	assert_int_equal(step->waits.listed_count, 0);
}

static void a_place_that_the_kernel_told_is_exact(void **state)
{
	struct step *step = *state;

	/* A look sees the wait before, whose place was not reported. */
	opens(step, step->first, 2000, false);
	found(step, step->first, 2100, &child_place);
	closes(step, step->first, 2400);
	for (uint64_t at = 3000; at < 9000; at += 1000) {
		waits_leave(step->first, &sleep_place, false);
		opens(step, step->first, at, false);
		assert_int_equal(step->clock.waiting[CLASS_MAJOR], 1);
		closes(step, step->first, at + 400);
	}
	waited(step, step->first, 9000, 9100);
	waits_end(&step->waits, step->first);
	assert_amount(at(step->first, &sleep_place), 6, 2400, 2400, 2400);
	assert_int_equal(at(step->first, &sleep_place).variance, 0);
	/*
	 * The one without a place is treated like the one that was seen, not like those that were
	 * reported.
	 */
	assert_amount(at(step->first, &child_place), 2, 500, 500, 500);
}

static void a_look_changes_no_place_that_the_kernel_told(void **state)
{
	struct step *step = *state;

	waits_leave(step->first, &read_place, false);
	opens(step, step->first, 2000, false);
	assert_true(step->waits.listed_count == 0 && step->clock.files == 1);
	found(step, step->first, 2100, &sleep_place);
	closes(step, step->first, 2400);
	waited(step, step->first, 3000, 3100);
	waits_end(&step->waits, step->first);
	assert_amount(at(step->first, &read_place), 1, 400, 400, 400);
	assert_int_equal(step->clock.files, 0);
	/* Nor is it a look at a later wait. */
	assert_amount(at(step->first, &sleep_place), 0, 0, 0, 0);
	assert_amount(at(step->first, &no_place), 1, 100, 100, 100);
}

static void a_look_tells_the_holder_of_a_lock_whose_place_is_known(void **state)
{
	struct step *step = *state;
	struct wait_site held = lock_place;

	held.holder = 2;
	held.holder_stack = 7;
	waits_leave(step->first, &lock_place, false);
	opens(step, step->first, 2000, false);
	assert_int_equal(step->waits.listed_count, 1);
	found(step, step->first, 2100, &held);
	closes(step, step->first, 2400);
	assert_true(wait_site_is_same(&step->first->waits.tallies.items[0].site, &held));
	/* The next wait may be for another holder. */
	waits_leave(step->first, &lock_place, false);
	waited(step, step->first, 3000, 3400);
	assert_int_equal(step->first->waits.tallies.items[1].site.holder, 0);
	assert_amount(at(step->first, &lock_place), 2, 800, 800, 800);
}

static void a_task_that_does_not_wait_after_all_leaves_no_place(void **state)
{
	struct step *step = *state;
	const struct wait_site where = { .reason = WAIT_DISPATCH };

	waits_leave(step->first, &sleep_place, false);
	opens(step, step->first, 2000, true);
	closes(step, step->first, 2050);
	waited(step, step->first, 3000, 3100);
	waits_leave(step->first, &sleep_place, false);
	waits_leave(step->first, NULL, false);
	waited(step, step->first, 4000, 4100);
	waits_end(&step->waits, step->first);
	assert_amount(at(step->first, &where), 1, 50, 50, 50);
	assert_amount(at(step->first, &no_place), 2, 200, 200, 200);
}

static void what_goes_on_in_the_same_call_is_one_wait(void **state)
{
	struct step *step = *state;

	for (uint64_t part = 0; part < 3; part++) {
		waits_leave(step->first, &read_place, part > 0);
		waited(step, step->first, 2000 + 100 * part, 2050 + 100 * part);
	}
	assert_amount(at(step->first, &read_place), 1, 150, 150, 150);
}

static void a_snapshot_cuts_a_wait_and_loses_nothing(void **state)
{
	struct step *step = *state;

	opens(step, step->first, 2000, false);
	step_clock_advance(&step->clock, 2300);
	waits_close(&step->waits, step->first, false);
	/* Its place is not known yet, so its first part has no tally. */
	assert_int_equal(step->first->waits.tallies.count, 0);
	found(step, step->first, 2400, &sleep_place);
	closes(step, step->first, 2900);
	assert_amount(at(step->first, &sleep_place), 1, 900, 900, 900);
}

static void time_in_a_pause_is_no_wait(void **state)
{
	struct step *step = *state;

	opens(step, step->first, 2000, false);
	found(step, step->first, 2100, &sleep_place);
	step->clock.paused = true;
	closes(step, step->first, 5000);
	assert_amount(at(step->first, &sleep_place), 0, 100, 100, 100);
}

static void missed_waits_are_like_those_that_were_met(void **state)
{
	struct step *step = *state;

	waited(step, step->first, 2000, 2010);
	waited(step, step->first, 2100, 2120);
	assert_int_equal(step->waits.listed_count, 1);
	opens(step, step->first, 2200, false);
	found(step, step->first, 2250, &sleep_place);
	closes(step, step->first, 2300);
	waited(step, step->first, 2400, 2405);
	assert_amount(at(step->first, &sleep_place), 1, 100, 100, 100);
	/* The last one was no page fault either. */
	waits_end(&step->waits, step->first);
	assert_amount(at(step->first, &sleep_place), 4, 135, 135, 135);
	assert_int_equal(step->waits.listed_count, 0);
}

/* Waits of 3 and 6 ms in turn, looked at every 6 ms: half of the short ones are seen. */
static void missed_waits_are_laid_out_by_their_odds(void **state)
{
	struct step *step = *state;
	struct wait_gaps gaps = { 0 };
	const uint64_t ms = 1000000;
	uint64_t now = 10 * ms;

	for (int i = 0; i < 10; i++)
		wait_gaps_add(&gaps, 6 * ms);
	step->waits.odds =
		(struct wait_odds){ .gaps = &gaps, .chance = 1, .old = 100 * ms, .old_chance = 1 };
	for (int i = 0; i < 100; i++) {
		opens(step, step->first, now, false);
		if (i % 2)
			found(step, step->first, now + ms, &sleep_place);
		closes(step, step->first, now += 3 * ms);
		opens(step, step->first, now, false);
		found(step, step->first, now + ms, &child_place);
		closes(step, step->first, now += 6 * ms);
	}
	waits_end(&step->waits, step->first);
	assert_amount(at(step->first, &sleep_place), 100, 300 * ms, 300 * ms, 300 * ms);
	assert_int_equal(at(step->first, &child_place).total, 600 * ms);
	/*
	 * Nothing else was missed, so the only uncertainty is the small number of looks: 150 ms of
	 * 50 waits.
	 */
	assert_in_range(at(step->first, &sleep_place).variance, 1, 150000ULL * 150000 / 51);
	assert_int_equal(at(step->first, &child_place).variance, 0);
}

static void the_odds_of_a_wait_follow_from_its_length(void **state UNUSED)
{
	struct wait_gaps gaps = { 0 };
	struct wait_odds odds = { .gaps = &gaps, .chance = 1, .old = 50, .old_chance = 1 };

	wait_gaps_add(&gaps, 100);
	wait_gaps_add(&gaps, 300);
	assert_true(fabs(wait_odds_seen(&odds, 50) - 0.25) < 1e-9);
	assert_true(fabs(wait_odds_seen(&odds, 200) - 0.75) < 1e-9);
	assert_true(fabs(wait_odds_seen(&odds, 1000) - 1) < 1e-9);
	/* One task in four is looked at, until its wait is old. */
	odds.chance = 0.25;
	assert_true(fabs(wait_odds_seen(&odds, 50) - 0.0625) < 1e-9);
	assert_true(fabs(wait_odds_seen(&odds, 150) - (1 - 0.9375 * 0.5)) < 1e-9);
	/* Then one in two, in each of two rounds. */
	odds.old_chance = 0.5;
	assert_true(fabs(wait_odds_seen(&odds, 450) - (1 - 0.9375 * 0.25)) < 1e-9);
	assert_true(wait_odds_seen(&odds, 0) > 0);
	/* Old gaps are forgotten. */
	for (int i = 0; i < WAIT_GAPS; i++)
		wait_gaps_add(&gaps, 1000);
	assert_int_equal(gaps.sum, 1000 * WAIT_GAPS);
}

/* The parts of missed waits add up, whatever the weights. */
static void nothing_of_missed_waits_is_lost(void **state)
{
	struct step *step = *state;
	struct wait_amount sum = { 0 };
	uint64_t now = 10000;

	for (uint32_t i = 0; i < 37; i++) {
		const struct wait_site place = { .stack = 100 + i % 7, .reason = WAIT_SLEEP };

		waited(step, step->first, now, now + 1 + i * i);
		opens(step, step->first, now += 5000, false);
		found(step, step->first, now + 1, &place);
		closes(step, step->first, now += 3 + 17 * i);
		now += 1000;
	}
	waits_end(&step->waits, step->first);
	for (size_t i = 0; i < step->first->waits.tallies.count; i++)
		wait_amount_add(&sum, &step->first->waits.tallies.items[i].amount);
	assert_int_equal(sum.count, 74);
	assert_int_equal(sum.total, step->first->wait);
	assert_int_equal(sum.charged, step->first->activity.charged);
	assert_int_equal(at(step->first, &no_place).count, 0);
}

/* What is known of the waits of one child is used for the next one, too. */
static void waits_of_a_program_tell_of_its_other_tasks(void **state)
{
	struct step *step = *state;
	/* Only its identity counts. */
	static char image;

	step->first->process->image = (struct object *)&image;
	opens(step, step->first, 2000, false);
	found(step, step->first, 2100, &sleep_place);
	closes(step, step->first, 2400);
	waits_end(&step->waits, step->first);
	waited(step, step->second, 3000, 3050);
	waits_end(&step->waits, step->second);
	assert_amount(at(step->second, &sleep_place), 1, 50, 50, 50);
}

static void a_fault_takes_the_wait_just_before_it(void **state)
{
	struct step *step = *state;
	const uint64_t tail = 200000;

	waited(step, step->first, 2000, 2100);
	step_clock_advance(&step->clock, 2100 + tail);
	assert_true(waits_may_be_fault(&step->waits, step->first));
	step_clock_advance(&step->clock, 2100 + tail + 1);
	assert_false(waits_may_be_fault(&step->waits, step->first));
	waits_fault(&step->waits, step->first, fault_place.stack, 0);
	assert_amount(at(step->first, &fault_place), 1, 100, 100, 100);
	/* It is reported once. */
	assert_false(waits_may_be_fault(&step->waits, step->first));
	waits_end(&step->waits, step->first);
	assert_int_equal(at(step->first, &no_place).count, 0);
}

static void where_faults_are_told_a_fault_is_no_like_of_other_waits(void **state)
{
	struct step *step = *state;

	step->perf.fault_count = 1;
	waited(step, step->first, 2000, 2010);
	opens(step, step->first, 3000, false);
	found(step, step->first, 3010, &fault_place);
	closes(step, step->first, 3020);
	waits_end(&step->waits, step->first);
	assert_amount(at(step->first, &fault_place), 1, 20, 20, 20);
	assert_amount(at(step->first, &no_place), 1, 10, 10, 10);
	/* Without fault events the look is the only source. */
	step->perf.fault_count = 0;
	waited(step, step->second, 4000, 4010);
	opens(step, step->second, 5000, false);
	found(step, step->second, 5010, &fault_place);
	closes(step, step->second, 5020);
	waits_end(&step->waits, step->second);
	assert_amount(at(step->second, &fault_place), 2, 30, 30, 30);
}

static void with_proc_alone_long_waits_teach_too(void **state)
{
	struct step *step = *state;

	step->privilege = PRIVILEGE_PROC;
	waited(step, step->first, 2000, 2010);
	opens(step, step->first, 3000, false);
	found(step, step->first, 3100, &sleep_place);
	closes(step, step->first, 50000000);
	waits_end(&step->waits, step->first);
	assert_int_equal(at(step->first, &sleep_place).count, 2);
}

static void waits_of_another_transaction_are_apart(void **state)
{
	struct step *step = *state;
	uint64_t work = transactions_id(step->transactions, "WORK");
	const struct wait_tally *tally;

	waited(step, step->first, 2000, 2010);
	transactions_set(step->transactions, step->first->base->tid, 2050, work, 1);
	waited(step, step->first, 2100, 2130);
	waits_end(&step->waits, step->first);
	assert_int_equal(step->first->waits.tallies.count, 2);
	tally = step->first->waits.tallies.items;
	assert_int_equal(tally[0].amount.transaction, 0);
	assert_int_equal(tally[0].amount.total, 10);
	assert_int_equal(tally[1].amount.transaction, work);
	assert_int_equal(tally[1].amount.total, 30);
}

/*
 * Two transactions that a data collector sees wait in turn, 3 and 6 ms; every third wait of each
 * is looked at, so the one in force is usually that of another wait.
 */
static void missed_waits_of_sampled_transactions_are_laid_out_over_all(void **state)
{
	struct step *step = *state;
	const uint64_t ms = 1000000, tid = (uint64_t)step->first->base->tid;
	uint64_t one = transactions_id(step->transactions, "ONE"), ones = 0;
	uint64_t other = transactions_id(step->transactions, "OTHER"), others = 0;
	uint64_t now = 10 * ms;

	for (int i = 0; i < 300; i++) {
		opens(step, step->first, now, false);
		if (i % 3 == 0) {
			transactions_set(step->transactions, (pid_t)tid, now, one, 1);
			found(step, step->first, now + ms, &sleep_place);
		}
		closes(step, step->first, now += 3 * ms);
		opens(step, step->first, now, false);
		if (i % 3 == 1) {
			transactions_set(step->transactions, (pid_t)tid, now, other, 1);
			found(step, step->first, now + ms, &sleep_place);
		}
		closes(step, step->first, now += 6 * ms);
	}
	waits_end(&step->waits, step->first);
	for (size_t i = 0; i < step->first->waits.tallies.count; i++) {
		const struct wait_amount *amount = &step->first->waits.tallies.items[i].amount;

		ones += amount->transaction == one ? amount->total : 0;
		others += amount->transaction == other ? amount->total : 0;
		assert_false(amount->sampled);
	}
	assert_int_equal(ones + others, 2700 * ms);
	assert_in_range(ones, 890 * ms, 910 * ms);
}

static void a_file_is_busy_once_however_many_wait(void **state)
{
	struct step *step = *state;
	struct recordset rows;
	const struct record_file_activity *row;

	opens(step, step->first, 2000, false);
	found(step, step->first, 2000, &read_place);
	opens(step, step->second, 2300, false);
	found(step, step->second, 2300, &read_place);
	assert_int_equal(step->clock.file_waits, 2);
	assert_int_equal(step->clock.files, 1);
	closes(step, step->first, 2500);
	assert_int_equal(step->waits.busy.items[FILE_ID].tasks, 1);
	closes(step, step->second, 2600);
	assert_int_equal(step->clock.file_waits, 0);
	assert_int_equal(step->clock.files, 0);
	/* A wait that is detected late, and began while others waited, adds only what is new. */
	opens(step, step->first, 2700, false);
	found(step, step->first, 2800, &read_place);
	closes(step, step->first, 2900);
	recordset_init(&rows, &record_types[RECORD_FILE_ACTIVITY]);
	files_activity(step->files, 3000, &rows);
	assert_int_equal(rows.count, 1);
	row = recordset_get(&rows, 0);
	assert_int_equal(row->waits, 3);
	assert_int_equal(row->total, 500 + 300 + 200);
	assert_int_equal(row->busy, 600 + 200);
	assert_int_equal(row->busy_solo, 600 + 200);
	recordset_release(&rows);
}

/*
 * A snapshot shows how long a file was waited for so far; the wait continues, and so does the
 * file's.
 */
static void a_file_stays_busy_over_a_snapshot(void **state)
{
	struct step *step = *state;
	const struct record_file_activity *row;
	struct recordset rows;

	opens(step, step->first, 2000, false);
	found(step, step->first, 2000, &read_place);
	for (uint64_t snapshot = 0; snapshot < 2; snapshot++) {
		step_clock_advance(&step->clock, 2300 + 300 * snapshot);
		waits_close(&step->waits, step->first, false);
		file_busy_account(&step->waits.busy);
		assert_int_equal(step->clock.files, 1);
		assert_int_equal(step->clock.file_waits, 1);
	}
	closes(step, step->first, 2900);
	recordset_init(&rows, &record_types[RECORD_FILE_ACTIVITY]);
	files_activity(step->files, 3000, &rows);
	assert_int_equal(rows.count, 1);
	row = recordset_get(&rows, 0);
	assert_int_equal(row->waits, 1);
	assert_int_equal(row->total, 900);
	assert_int_equal(row->busy, 900);
	assert_int_equal(row->busy_solo, 900);
	recordset_release(&rows);
}

static void a_file_found_out_late_is_not_busy_twice(void **state)
{
	struct step *step = *state;

	opens(step, step->first, 2000, false);
	found(step, step->first, 2000, &read_place);
	opens(step, step->second, 2100, false);
	closes(step, step->first, 2400);
	/* The second waits since 2100 too, but the file's time until 2400 was counted. */
	found(step, step->second, 2500, &read_place);
	assert_int_equal(step->waits.busy.items[FILE_ID].since,
			 step->waits.busy.items[FILE_ID].ended);
	/* Nothing is known about waits between the two. */
	assert_int_equal(step->waits.busy.items[FILE_ID].alone, step->clock.file_alone);
}

static void a_file_beside_an_executing_task_is_busy_but_not_alone(void **state)
{
	struct step *step = *state;
	struct recordset rows;
	const struct record_file_activity *row;

	step_clock_begin_running(&step->clock);
	opens(step, step->first, 2000, false);
	found(step, step->first, 2100, &read_place);
	closes(step, step->first, 2600);
	recordset_init(&rows, &record_types[RECORD_FILE_ACTIVITY]);
	files_activity(step->files, 3000, &rows);
	assert_int_equal(rows.count, 1);
	row = recordset_get(&rows, 0);
	assert_int_equal(row->total, 600);
	assert_int_equal(row->charged, 0);
	assert_int_equal(row->busy, 600);
	assert_int_equal(row->busy_solo, 0);
	recordset_release(&rows);
}

static void a_lock_on_a_file_is_no_file_wait(void **state)
{
	struct step *step = *state;

	/* Whichever comes first and goes last, one reads. */
	opens(step, step->first, 2000, false);
	found(step, step->first, 2000, &lock_place);
	assert_int_equal(step->clock.files, 0);
	opens(step, step->second, 2100, false);
	found(step, step->second, 2100, &read_place);
	assert_int_equal(step->clock.files, 1);
	assert_int_equal(step->clock.file_waits, 1);
	closes(step, step->first, 2200);
	assert_int_equal(step->clock.files, 1);
	closes(step, step->second, 2300);
	assert_int_equal(step->clock.files, 0);
	opens(step, step->second, 2400, false);
	found(step, step->second, 2400, &read_place);
	opens(step, step->first, 2500, false);
	found(step, step->first, 2500, &lock_place);
	closes(step, step->second, 2600);
	assert_int_equal(step->clock.files, 0);
	closes(step, step->first, 2700);
	assert_int_equal(step->clock.file_waits, 0);
	assert_int_equal(step->clock.files, 0);
}

static void a_look_that_met_no_wait_teaches_nothing(void **state)
{
	struct step *step = *state;

	/* Records lag behind: when the task was looked at its first wait was over. */
	opens(step, step->first, 2000, false);
	waits_locate(&step->waits, step->first, &(struct wait_look){ .site = sleep_place, .from = 6000, .until = 6010 });
	closes(step, step->first, 2500);
	assert_int_equal(at(step->first, &sleep_place).count, 0);
	/* The one that was seen has the place. */
	waited(step, step->first, 5900, 6100);
	waits_end(&step->waits, step->first);
	assert_int_equal(at(step->first, &sleep_place).total, 200 + 500);
}

static void a_look_at_the_very_end_of_a_wait_met_it(void **state)
{
	struct step *step = *state;

	opens(step, step->first, 2000, false);
	waits_locate(&step->waits, step->first, &(struct wait_look){ .site = sleep_place, .from = 2500, .until = 2510 });
	closes(step, step->first, 2500);
	assert_int_equal(at(step->first, &sleep_place).total, 500);
	/* The same for one at its very beginning. */
	opens(step, step->second, 3000, false);
	waits_locate(&step->waits, step->second, &(struct wait_look){ .site = sleep_place, .from = 2990, .until = 3000 });
	closes(step, step->second, 3400);
	assert_int_equal(at(step->second, &sleep_place).total, 400);
}

static void a_wait_that_began_after_a_look_was_not_met(void **state)
{
	struct step *step = *state;
	const uint64_t late = 10000000;

	/* A long wait is located, so no short one has its place. */
	opens(step, step->first, 2000, false);
	waits_locate(&step->waits, step->first, &(struct wait_look){ .site = sleep_place, .from = late, .until = late + 10 });
	closes(step, step->first, 3000);
	waited(step, step->first, late + 11, late + 300);
	waits_end(&step->waits, step->first);
	assert_int_equal(at(step->first, &sleep_place).count, 0);
	assert_amount(at(step->first, &no_place), 2, 1000 + 289, 1289, 1289);
}

/*
 * A place that data collectors reported when they were asked again is the wait's from the next
 * snapshot on, not only at its end.
 */
static void a_place_that_was_asked_for_again_is_told_at_a_snapshot(void **state)
{
	struct step *step = *state;

	opens(step, step->first, 2000, false);
	found(step, step->first, 2100, &lock_place);
	step_clock_advance(&step->clock, 2200);
	waits_locate(&step->waits, step->first, &(struct wait_look){ .site = sleep_place, .from = 2210, .until = 2220 });
	/* Records are not processed that far yet: it may be a later wait's. */
	waits_close(&step->waits, step->first, false);
	assert_amount(at(step->first, &lock_place), 0, 200, 200, 200);
	assert_int_equal(at(step->first, &sleep_place).total, 0);
	step_clock_advance(&step->clock, 3000);
	waits_close(&step->waits, step->first, false);
	assert_amount(at(step->first, &sleep_place), 0, 800, 800, 800);
	closes(step, step->first, 3100);
	assert_amount(at(step->first, &sleep_place), 1, 900, 900, 900);
	assert_int_equal(at(step->first, &lock_place).total, 200);
}

static void a_file_that_was_asked_for_again_is_waited_for_once(void **state)
{
	struct step *step = *state;
	struct wait_site again = read_place;

	again.stack = 7;
	opens(step, step->first, 2000, false);
	found(step, step->first, 2000, &read_place);
	found(step, step->first, 2200, &again);
	assert_int_equal(step->clock.files, 1);
	/* It was a lock after all, and no file. */
	found(step, step->first, 2300, &lock_place);
	step_clock_advance(&step->clock, 2400);
	waits_close(&step->waits, step->first, false);
	assert_int_equal(step->clock.files, 0);
	assert_int_equal(step->waits.busy.items[FILE_ID].tasks, 1);
	found(step, step->first, 2500, &sleep_place);
	closes(step, step->first, 2600);
	assert_int_equal(step->waits.busy.items[FILE_ID].tasks, 0);
	assert_int_equal(step->clock.file_waits, 0);
	assert_amount(at(step->first, &sleep_place), 1, 200, 200, 200);
}

static void a_later_wait_that_is_met_leaves_the_first_its_place(void **state)
{
	struct step *step = *state;
	const uint64_t end = 10000000;

	opens(step, step->first, 2000, false);
	found(step, step->first, 3000, &lock_place);
	step_clock_advance(&step->clock, 4000);
	/* It is over when it is looked at again, and its record is not processed yet. */
	waits_locate(&step->waits, step->first, &(struct wait_look){ .site = sleep_place, .from = end + 100, .until = end + 200 });
	closes(step, step->first, end);
	waited(step, step->first, end + 50, end + 300);
	assert_int_equal(at(step->first, &lock_place).total, end - 2000);
	assert_int_equal(at(step->first, &sleep_place).total, 250);
	waits_end(&step->waits, step->first);
	assert_int_equal(at(step->first, &no_place).total, 0);
}

static void a_long_wait_that_ends_while_it_is_looked_at_has_no_other_place(void **state)
{
	struct step *step = *state;
	const uint64_t end = 10000000;

	opens(step, step->first, 2000, false);
	waits_locate(&step->waits, step->first, &(struct wait_look){ .site = sleep_place, .from = end - 100, .until = end + 100, .by_collectors = true });
	closes(step, step->first, end);
	waits_end(&step->waits, step->first);
	assert_int_equal(at(step->first, &sleep_place).total, 0);
	assert_int_equal(at(step->first, &no_place).total, end - 2000);
	/* A wait that has a place keeps it. */
	opens(step, step->second, end + 1000, false);
	found(step, step->second, end + 2000, &lock_place);
	step_clock_advance(&step->clock, end + 3000);
	waits_locate(&step->waits, step->second, &(struct wait_look){ .site = sleep_place, .from = 2 * end - 100, .until = 2 * end + 100, .by_collectors = true });
	closes(step, step->second, 2 * end);
	assert_int_equal(at(step->second, &lock_place).total, end - 1000);
	assert_int_equal(at(step->second, &sleep_place).total, 0);
}

/*
 * A short sleep may last because there is no processor: what was seen too late is what was seen
 * before.
 */
static void a_wait_that_is_missed_between_two_alike_is_one_of_them(void **state)
{
	struct step *step = *state;
	const uint64_t begin = 10000, end = begin + 6000000;

	opens(step, step->first, 2000, false);
	found(step, step->first, 2100, &sleep_place);
	closes(step, step->first, 2200);
	opens(step, step->first, begin, false);
	waits_locate(&step->waits, step->first, &(struct wait_look){ .site = sleep_place, .from = end + 10, .until = end + 20, .by_collectors = true });
	closes(step, step->first, end);
	waits_end(&step->waits, step->first);
	assert_amount(at(step->first, &sleep_place), 2, 200 + 6000000, 6000200, 6000200);
	/* Another one is not. */
	opens(step, step->second, end + 100, false);
	found(step, step->second, end + 200, &sleep_place);
	closes(step, step->second, end + 300);
	opens(step, step->second, end + 400, false);
	waits_locate(&step->waits, step->second, &(struct wait_look){ .site = lock_place, .from = 2 * end, .until = 2 * end + 20, .by_collectors = true });
	closes(step, step->second, 2 * end - 400);
	waits_end(&step->waits, step->second);
	assert_amount(at(step->second, &sleep_place), 1, 200, 200, 200);
	assert_amount(at(step->second, &no_place), 1, end - 800, end - 800, end - 800);
}

static void a_long_wait_without_a_place_gets_none_of_a_short_one(void **state)
{
	struct step *step = *state;
	const uint64_t limit = 100000000;

	/* Not of the one before it, */
	opens(step, step->first, 2000, false);
	found(step, step->first, 2100, &sleep_place);
	closes(step, step->first, 2200);
	waited(step, step->first, 3000, 3000 + limit);
	waits_end(&step->waits, step->first);
	assert_amount(at(step->first, &sleep_place), 1, 200, 200, 200);
	assert_amount(at(step->first, &no_place), 1, limit, limit, limit);
	/* nor of the one after it; but it may have been a page fault. */
	waited(step, step->second, 2 * limit, 3 * limit);
	opens(step, step->second, 4 * limit, false);
	found(step, step->second, 4 * limit + 100, &sleep_place);
	closes(step, step->second, 4 * limit + 200);
	assert_amount(at(step->second, &no_place), 1, limit, limit, limit);
	assert_amount(at(step->second, &sleep_place), 1, 200, 200, 200);
	waited(step, step->second, 5 * limit, 6 * limit);
	waits_fault(&step->waits, step->second, fault_place.stack, 0);
	assert_amount(at(step->second, &fault_place), 1, limit, limit, limit);
}

static void another_program_is_taught_nothing_by_the_last(void **state)
{
	struct step *step = *state;

	opens(step, step->first, 2000, false);
	found(step, step->first, 2100, &sleep_place);
	closes(step, step->first, 2400);
	waits_exec(&step->waits, step->first);
	waited(step, step->first, 3000, 3010);
	waits_end(&step->waits, step->first);
	assert_int_equal(at(step->first, &sleep_place).count, 1);
	assert_int_equal(at(step->first, &no_place).count, 1);
}

static void rows_take_all_there_is(void **state)
{
	struct step *step = *state;
	const struct record_wait *row;
	struct recordset rows;

	recordset_init(&rows, &record_types[RECORD_WAIT]);
	waited(step, step->first, 2000, 2010);
	waits_rows(&step->waits, &step->tasks, 2100, false, &rows);
	assert_int_equal(rows.count, 0);
	waits_rows(&step->waits, &step->tasks, 2200, true, &rows);
	assert_int_equal(rows.count, 1);
	row = recordset_get(&rows, 0);
	assert_int_equal(row->time, 2200);
	assert_int_equal(row->task, step->first->base->id);
	assert_int_equal(row->reason, WAIT_UNKNOWN);
	assert_int_equal(row->count, 1);
	assert_int_equal(row->total, 10);
	recordset_clear(&rows);
	waits_rows(&step->waits, &step->tasks, 2300, true, &rows);
	assert_int_equal(rows.count, 0);
	recordset_release(&rows);
}

static void the_list_of_waiting_tasks_loses_nobody(void **state)
{
	struct step *step = *state;

	opens(step, step->first, 2000, false);
	opens(step, step->second, 2010, false);
	assert_int_equal(step->waits.listed_count, 2);
	/* A task that was seen stays on the list: its next wait may be short. */
	found(step, step->second, 2100, &sleep_place);
	assert_int_equal(step->waits.listed_count, 2);
	waits_exec(&step->waits, step->first);
	assert_int_equal(step->waits.listed_count, 1);
	assert_ptr_equal(step->waits.listed[0], step->second);
	assert_int_equal(step->second->waits.listed, 1);
	assert_int_equal(waits_recent_stack(step->second), sleep_place.stack);
	waits_exec(&step->waits, step->second);
	assert_int_equal(step->waits.listed_count, 0);
	assert_int_equal(waits_recent_stack(step->second), 0);
	waits_unlist(&step->waits, step->second);
	assert_int_equal(step->waits.listed_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_lone_wait_is_charged_whole),
		TEST(a_wait_beside_an_executing_task_is_charged_nothing),
		TEST(waits_side_by_side_share),
		TEST(a_wait_that_turns_out_to_be_minor_keeps_what_it_had),
		TEST(waiting_for_a_processor_is_delay),
		TEST(a_place_that_the_kernel_told_is_exact),
		TEST(a_look_changes_no_place_that_the_kernel_told),
		TEST(a_look_tells_the_holder_of_a_lock_whose_place_is_known),
		TEST(a_task_that_does_not_wait_after_all_leaves_no_place),
		TEST(what_goes_on_in_the_same_call_is_one_wait),
		TEST(a_snapshot_cuts_a_wait_and_loses_nothing),
		TEST(time_in_a_pause_is_no_wait),
		TEST(missed_waits_are_like_those_that_were_met),
		TEST(missed_waits_are_laid_out_by_their_odds),
		TEST(the_odds_of_a_wait_follow_from_its_length),
		TEST(nothing_of_missed_waits_is_lost),
		TEST(waits_of_a_program_tell_of_its_other_tasks),
		TEST(a_fault_takes_the_wait_just_before_it),
		TEST(where_faults_are_told_a_fault_is_no_like_of_other_waits),
		TEST(with_proc_alone_long_waits_teach_too),
		TEST(waits_of_another_transaction_are_apart),
		TEST(missed_waits_of_sampled_transactions_are_laid_out_over_all),
		TEST(a_file_is_busy_once_however_many_wait),
		TEST(a_file_found_out_late_is_not_busy_twice),
		TEST(a_file_stays_busy_over_a_snapshot),
		TEST(a_file_beside_an_executing_task_is_busy_but_not_alone),
		TEST(a_lock_on_a_file_is_no_file_wait),
		TEST(a_look_that_met_no_wait_teaches_nothing),
		TEST(a_look_at_the_very_end_of_a_wait_met_it),
		TEST(a_wait_that_began_after_a_look_was_not_met),
		TEST(a_place_that_was_asked_for_again_is_told_at_a_snapshot),
		TEST(a_file_that_was_asked_for_again_is_waited_for_once),
		TEST(a_later_wait_that_is_met_leaves_the_first_its_place),
		TEST(a_long_wait_that_ends_while_it_is_looked_at_has_no_other_place),
		TEST(a_wait_that_is_missed_between_two_alike_is_one_of_them),
		TEST(a_long_wait_without_a_place_gets_none_of_a_short_one),
		TEST(another_program_is_taught_nothing_by_the_last),
		TEST(rows_take_all_there_is),
		TEST(the_list_of_waiting_tasks_loses_nobody),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
