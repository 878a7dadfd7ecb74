/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests samples, their ledger and what is estimated in addition, with one task and
 * no sampler. Tests that depend on whether the task is alone exist for both cases.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "records/record-types.h"
#include "sampler/estimate.h"
#include "sampler/residue.h"
#include "sampler/sample-ledger.h"
#include "sampler/samples.h"
#include "sampler/short-tasks.h"
#include "sampler/stack-resolve.h"
#include "sampler/stacks.h"
#include "sampler/stolen.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

#include <sys/stat.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define PERIOD 1000000

struct step {
	struct step_clock clock;
	struct step_tasks step_tasks;
	struct tasks tasks;
	struct object_list objects;
	struct stacks stacks;
	struct transactions *transactions;
	struct residues residues;
	struct sample_ledger ledger;
	struct short_tasks short_tasks;
	struct estimate estimate;
	struct stolen stolen;
	struct stack_resolver resolver;
	struct samples samples;
	enum privilege privilege;
	struct task *task;
	uint32_t outer, left, right; /* stacks: one, and two that it called */
};

/* Returns a stack of the program, called from parent. */
static uint32_t stack_at(struct step *step, uint32_t parent, uint64_t offset)
{
	const struct object *object = object_for_memory(&step->objects, "[heap]");

	return stacks_push(&step->stacks, parent, stacks_frame(&step->stacks, object, offset, 10));
}

/* Makes the parts that handle samples. */
static void make_parts(struct step *step)
{
	short_tasks_init(&step->short_tasks, &(struct short_tasks_parts){
						     .clock = &step->clock,
						     .ledger = &step->ledger,
						     .tasks = &step->tasks,
						     .privilege = &step->privilege,
					     });
	sample_ledger_init(&step->ledger, PERIOD, step->transactions);
	estimate_init(&step->estimate, &(struct estimate_parts){
					       .clock = &step->clock,
					       .ledger = &step->ledger,
					       .stacks = &step->stacks,
					       .short_tasks = &step->short_tasks,
					       .residues = &step->residues,
					       .tasks = &step->tasks,
					       .stolen = &step->stolen,
					       .privilege = &step->privilege,
				       });
	stack_resolve_init(&step->resolver, &step->stacks, NULL, NULL, step->transactions);
	samples_init(&step->samples, &(struct samples_parts){
					     .clock = &step->clock,
					     .ledger = &step->ledger,
					     .estimate = &step->estimate,
					     .short_tasks = &step->short_tasks,
					     .resolver = &step->resolver,
					     .transactions = step->transactions,
				     });
}

static int begin(void **state)
{
	struct step *step = calloc(1, sizeof(*step));
	struct process *process;

	step->privilege = PRIVILEGE_FULL;
	step_clock_init(&step->clock, 0);
	step_tasks_init(&step->step_tasks);
	tasks_init(&step->tasks, &step->step_tasks);
	object_list_init(&step->objects);
	stacks_init(&step->stacks, &step->objects);
	step->transactions = transactions_new(NULL);
	make_parts(step);
	process = tasks_add_process(&step->tasks, 10, NULL, 0);
	process->residue = residues_get(&step->residues, "/bin/a");
	step->task = tasks_add_task(&step->tasks, process, 10, "a", 0);
	step->outer = stack_at(step, 0, 0x100);
	stacks_mark_whole(&step->stacks, step->outer);
	step->left = stack_at(step, step->outer, 0x200);
	step->right = stack_at(step, step->outer, 0x300);
	*state = step;
	return 0;
}

static int finish(void **state)
{
	struct step *step = *state;

	sample_ledger_release(&step->ledger);
	transactions_free(step->transactions);
	stacks_release(&step->stacks);
	object_list_release(&step->objects);
	tasks_release(&step->tasks);
	step_tasks_release(&step->step_tasks);
	residues_release(&step->residues);
	free(step);
	return 0;
}

/* Returns the row with a number. */
static const struct record_sample *row(const struct step *step, size_t number)
{
	assert_true(number < step->ledger.rows.count);
	return recordset_get(&step->ledger.rows, number);
}

/* The task executed for a period and is sampled: without registers, so where it was last. */
static void sampled(struct step *step, uint64_t time, uint64_t period, bool finer)
{
	struct observation seen = { .kind = OBSERVED_SAMPLE, .time = time, .pid = 10, .tid = 10 };

	seen.sample.period = period;
	seen.sample.finer = finer;
	step->task->cpu += period;
	samples_take(&step->samples, step->task, &seen);
}

static void a_lone_task_is_solo(void **state)
{
	struct step *step = *state;

	step->task->stack = step->left;
	step_clock_begin_running(&step->clock);
	sampled(step, 5000, PERIOD, false);
	assert_int_equal(row(step, 0)->flags, SAMPLE_SOLO | SAMPLE_BROKEN);
	assert_int_equal(row(step, 0)->stack, step->left);
	assert_int_equal(row(step, 0)->time, 5000);
	assert_int_equal(row(step, 0)->kind, SAMPLE_USER);
}

static void a_task_beside_another_is_not_solo(void **state)
{
	struct step *step = *state;

	step->task->stack = step->left;
	step_clock_begin_running(&step->clock);
	step_clock_begin_running(&step->clock);
	sampled(step, 5000, PERIOD, false);
	assert_int_equal(row(step, 0)->flags & SAMPLE_SOLO, 0);
}

static void a_task_beside_a_file_wait_is_not_solo(void **state)
{
	struct step *step = *state;

	step->task->stack = step->left;
	step_clock_begin_running(&step->clock);
	step_clock_begin_file_wait(&step->clock);
	sampled(step, 5000, PERIOD, false);
	assert_int_equal(row(step, 0)->flags & SAMPLE_SOLO, 0);
	step_clock_end_file_wait(&step->clock);
	sampled(step, 6000, PERIOD, false);
	assert_int_equal(row(step, 1)->flags & SAMPLE_SOLO, SAMPLE_SOLO);
}

/*
 * Samples that stand for less than a period, of a program that alternates in each
 * half of a period: those kept show both halves, although the CPU time used
 * determines which samples complete a period.
 */
static void lots_choose_evenly(void **state)
{
	struct step *step = *state;
	uint64_t kept = 0, first_half = 0, weight = PERIOD * 9 / 10, cpu = 0;

	step->ledger.chance = 4711;
	for (int i = 0; i < 20000; i++) {
		cpu += weight;
		if (!sample_ledger_draw(&step->ledger, step->task, (uint64_t)i, weight))
			continue;
		kept++;
		first_half += cpu % PERIOD < PERIOD / 2;
		step->task->samples.count++;
		/* The credit left over stays small, and is exact. */
		assert_true(llabs(step->task->samples.credit) < 16 * PERIOD);
		assert_int_equal(sample_ledger_stands_for(&step->ledger, step->task), cpu);
	}
	assert_true(kept > 17900 && kept < 18100);
	/* Of about 18000 with equal probability: three deviations are 1.1 percent. */
	assert_true(first_half * 1000 > kept * 489 && first_half * 1000 < kept * 511);
}

static void whole_periods_need_no_lot(void **state)
{
	struct step *step = *state;

	step->ledger.chance = 4711;
	for (int i = 0; i < 100; i++)
		assert_true(sample_ledger_draw(&step->ledger, step->task, 0, PERIOD));
	assert_int_equal(step->task->samples.credit, 0);
}

static void each_sample_taken_is_processed_or_thinned(void **state)
{
	struct step *step = *state;
	const struct sample_ledger *ledger = &step->ledger;

	step->ledger.period = 4 * PERIOD;
	step->task->stack = step->left;
	for (uint64_t i = 1; i <= 10; i++)
		sampled(step, i * PERIOD, PERIOD, false);
	assert_int_equal(ledger->taken, 10);
	assert_int_equal(ledger->processed, 2);
	assert_int_equal(ledger->thinned, 8);
	assert_int_equal(ledger->broken, 2);
	assert_int_equal(step->task->samples.credit, 2 * PERIOD);
}

static void a_sample_needs_a_whole_period(void **state)
{
	struct step *step = *state;

	assert_false(sample_ledger_accept(&step->ledger, step->task, PERIOD - 1));
	assert_true(sample_ledger_accept(&step->ledger, step->task, 1));
	assert_int_equal(step->task->samples.credit, 0);
	/* A task that begins with credit needs that much less, and owes it. */
	sample_ledger_begin(&step->ledger, step->task, 400);
	assert_false(sample_ledger_accept(&step->ledger, step->task, PERIOD - 401));
	assert_true(sample_ledger_accept(&step->ledger, step->task, 1));
	assert_int_equal(step->task->samples.credit, 0);
	assert_int_equal(sample_ledger_stands_for(&step->ledger, step->task), -400);
}

static void halving_moves_samples_to_the_thinned(void **state)
{
	struct step *step = *state;
	struct sample_ledger *ledger = &step->ledger;

	for (int i = 0; i < 5; i++)
		sample_ledger_add(ledger, step->task, 1, step->left, SAMPLE_USER,
				  i < 2 ? SAMPLE_BROKEN : 0);
	/*
	 * Of five every second one stays, the first too: a period and a half become one
	 * and a debt.
	 */
	assert_int_equal(sample_ledger_recount(ledger, step->task, 5, 3, 2 * PERIOD), -PERIOD);
	sample_ledger_halve(ledger, 2, 1, 0, 2 * PERIOD);
	assert_int_equal(ledger->taken, 5);
	assert_int_equal(ledger->processed, 3);
	assert_int_equal(ledger->thinned, 2);
	assert_int_equal(ledger->whole, 2);
	assert_int_equal(ledger->broken, 1);
	assert_int_equal(ledger->period, 2 * PERIOD);
	assert_int_equal(ledger->period_initial, PERIOD);
	assert_int_equal(sample_ledger_stands_for(ledger, step->task), 5 * PERIOD);
	/* In what was seen they stay; what is constructed is not in it. */
	sample_ledger_add(ledger, step->task, 1, step->left, SAMPLE_KERNEL_ESTIMATED, 0);
	assert_int_equal(ledger->seen, 5 * PERIOD);
}

static void rows_have_the_transaction_in_force(void **state)
{
	struct step *step = *state;
	uint64_t work = transactions_id(step->transactions, "WORK");

	sample_ledger_add(&step->ledger, step->task, 1, step->left, SAMPLE_USER, 0);
	transactions_set(step->transactions, step->task->base->tid, 2, work, 1);
	sample_ledger_add(&step->ledger, step->task, 3, step->left, SAMPLE_USER, 0);
	assert_int_equal(row(step, 0)->transaction, 0);
	assert_int_equal(row(step, 1)->transaction, work);
}

/* A sample comes of a place that data collectors, if they were asked, knew or not (unsaid). */
static void missed_before(struct step *step, uint32_t stack, bool unsaid, uint64_t time)
{
	const struct resolved_stack seen = { .stack = stack, .unanswered = unsaid };

	estimate_before(&step->estimate, step->task, &seen, time);
}

static void what_is_missed_between_two_samples_is_where_their_ways_part(void **state)
{
	struct step *step = *state;

	/* Three periods were used; a sample comes after one that was elsewhere. */
	step->task->stack = step->left;
	step->task->cpu = 3 * PERIOD;
	missed_before(step, step->right, false, 7 * PERIOD);
	assert_int_equal(step->ledger.processed, 2);
	assert_int_equal(row(step, 0)->stack, step->left);
	assert_int_equal(row(step, 0)->kind, SAMPLE_RESIDUE);
	assert_int_equal(row(step, 0)->time, 5 * PERIOD);
	assert_int_equal(row(step, 0)->flags, 0);
	assert_int_equal(row(step, 1)->time, 6 * PERIOD);
	sample_ledger_add(&step->ledger, step->task, 7 * PERIOD, step->right, SAMPLE_USER, 0);
	/* Alternately on one's path and on the other's. */
	step->task->cpu += 2 * PERIOD;
	missed_before(step, step->right, false, 9 * PERIOD);
	assert_int_equal(row(step, 3)->stack, step->right);
}

static void what_is_missed_is_where_collectors_knew_the_place(void **state)
{
	struct step *step = *state;

	for (uint64_t i = 0; i < 4; i++) {
		bool first = i / 2;

		/* Whichever's turn it is. */
		step->task->stack = step->left;
		step->task->stack_unsaid = first;
		step->task->cpu += 2 * PERIOD;
		missed_before(step, step->right, !first, (2 * i + 2) * PERIOD);
		assert_int_equal(step->ledger.processed, 2 * i + 1);
		assert_int_equal(row(step, 2 * i)->stack, first ? step->right : step->left);
		sample_ledger_add(&step->ledger, step->task, (2 * i + 2) * PERIOD, step->right, SAMPLE_USER, 0);
		sample_ledger_thin(&step->ledger);
	}
}

static void users_miss_what_the_kernel_did(void **state)
{
	struct step *step = *state;

	step->privilege = PRIVILEGE_USER;
	step->task->stack = step->left;
	step->task->cpu = 2 * PERIOD;
	missed_before(step, step->left, false, 7 * PERIOD);
	assert_int_equal(step->ledger.processed, 1);
	assert_int_equal(row(step, 0)->kind, SAMPLE_KERNEL_ESTIMATED);
	assert_int_equal(stacks_parent(&step->stacks, (uint32_t)row(step, 0)->stack), step->left);
}

static void what_is_missed_before_a_long_wait_is_where_the_task_was_before_it(void **state)
{
	struct step *step = *state;
	const uint64_t long_ago = 200 * PERIOD, now = 301 * PERIOD;
	const uint64_t work = transactions_id(step->transactions, "WORK"), rest = transactions_id(step->transactions, "REST");

	step->privilege = PRIVILEGE_USER;
	/* A sample that was not kept came after it: that was before the wait, too. */
	step->task->stack = step->left;
	step->task->stack_is_old = true;
	step->task->stack_transaction = work;
	/* A collector has told that the wait is in another transaction. */
	transactions_set(step->transactions, step->task->base->tid, long_ago, rest, 1);
	step->task->cpu = 3 * PERIOD + PERIOD / 2;
	/* A short wait decides nothing. */
	estimate_wait(&step->estimate, step->task, long_ago, long_ago + PERIOD);
	assert_int_equal(step->ledger.processed, 0);
	estimate_wait(&step->estimate, step->task, long_ago, now);
	assert_int_equal(step->ledger.processed, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(row(step, i)->kind, SAMPLE_KERNEL_ESTIMATED);
		assert_int_equal(stacks_parent(&step->stacks, (uint32_t)row(step, i)->stack), step->left);
		assert_int_equal(row(step, i)->time, long_ago - (3 - i) * PERIOD);
		assert_int_equal(row(step, i)->transaction, work);
	}
	/* After another one without a sample between it is not known where the task was. */
	step->task->cpu += 2 * PERIOD;
	estimate_wait(&step->estimate, step->task, now + PERIOD, now + 102 * PERIOD);
	assert_int_equal(step->ledger.processed, 3);
	/* What it missed since then is where the next sample is: the last one is of before. */
	missed_before(step, step->right, false, now + 103 * PERIOD);
	assert_int_equal(step->ledger.processed, 4);
	assert_int_equal(stacks_parent(&step->stacks, (uint32_t)row(step, 3)->stack), step->right);
}

static void what_is_missed_after_a_long_wait_is_where_the_task_was_after_it(void **state)
{
	struct step *step = *state;

	for (uint64_t i = 0; i < 2; i++) {
		uint64_t now = (i + 1) * 1000 * PERIOD;

		/* With and without privilege, and whoever's turn it would be; nothing was missed before it. */
		step->privilege = i ? PRIVILEGE_FULL : PRIVILEGE_USER;
		step->task->stack = step->left;
		step->task->stack_is_past = false;
		step->task->kernel.recent[0].stack = step->left;
		step->task->kernel.recent_count = 1;
		estimate_wait(&step->estimate, step->task, now - 200 * PERIOD, now);
		assert_int_equal(step->ledger.processed, 2 * i);
		step->task->cpu += 2 * PERIOD;
		missed_before(step, step->right, false, now + 2 * PERIOD);
		assert_int_equal(step->ledger.processed, 2 * i + 1);
		if (i)
			assert_int_equal(row(step, 2 * i)->stack, step->right);
		else
			assert_int_equal(stacks_parent(&step->stacks, (uint32_t)row(step, 0)->stack), step->right);
		sample_ledger_add(&step->ledger, step->task, now + 2 * PERIOD, step->right, SAMPLE_USER, 0);
	}
}

static void the_next_sample_stands_for_the_last_period_before_a_long_wait(void **state)
{
	struct step *step = *state;

	step->task->stack = step->left;
	step->task->cpu = 3 * PERIOD / 2;
	estimate_wait(&step->estimate, step->task, 200 * PERIOD, 400 * PERIOD);
	assert_int_equal(step->ledger.processed, 0);
	step->task->cpu = 7 * PERIOD / 2;
	estimate_wait(&step->estimate, step->task, 500 * PERIOD, 700 * PERIOD);
	assert_int_equal(step->ledger.processed, 0);
	step->task->stack_is_past = false;
	estimate_wait(&step->estimate, step->task, 500 * PERIOD, 700 * PERIOD);
	assert_int_equal(step->ledger.processed, 2);
	assert_int_equal(row(step, 1)->stack, step->left);
}

static void no_sample_is_made_for_stolen_time(void **state)
{
	struct step *step = *state;

	step->stolen.step = 5 * PERIOD / 2;
	step->task->stack = step->left;
	step->task->cpu = 6 * PERIOD;
	estimate_settle(&step->estimate, step->task, 100 * PERIOD, true);
	assert_int_equal(step->ledger.processed, 3);
	/* It stays the same. */
	estimate_settle(&step->estimate, step->task, 100 * PERIOD, true);
	assert_int_equal(step->ledger.processed, 3);
	step->task->state = TASK_ENDED;
	estimate_end(&step->estimate, step->task, 100 * PERIOD);
	estimate_finish(&step->estimate, 100 * PERIOD);
	assert_int_equal(step->ledger.processed, 4);
}

/* Writes a file below a folder, which stands for the root. */
static void show(const char *folder, const char *name, const char *format, unsigned long long number)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, format, number);
	assert_int_equal(fclose(file), 0);
}

/* Removes or (make) makes the folders of a task, and its files. */
static void task_folder(const char *folder, bool make)
{
	static const char *const folders[] = { "/proc", "/proc/10", "/proc/10/task", "/proc/10/task/10" };
	char path[128];

	for (size_t i = 0; i < ARRAY_SIZE(folders) && make; i++) {
		snprintf(path, sizeof(path), "%s%s", folder, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	RETURN_IF(make, );
	snprintf(path, sizeof(path), "%s/proc/10/task/10/schedstat", folder);
	remove(path);
	snprintf(path, sizeof(path), "%s/proc/stat", folder);
	remove(path);
	for (size_t i = ARRAY_SIZE(folders); i-- > 0;) {
		snprintf(path, sizeof(path), "%s%s", folder, folders[i]);
		remove(path);
	}
	remove(folder);
}

/* PERIOD is a millisecond, a tick of /proc/stat 10 of them. */
enum { TICK = 10 };

/*
 * The task is sampled once, and then after 119 periods more, when the system has counted
 * executed ns of it and the machine has lost some ticks. Later it is sampled once
 * more, or (ends) ends. Returns how many samples are made besides.
 */
static uint64_t made_in_gap(struct step *step, unsigned long long lost_ticks, unsigned long long executed, bool ends)
{
	char folder[] = "/tmp/vigil-samples-XXXXXX";
	uint64_t made;

	assert_non_null(mkdtemp(folder));
	task_folder(folder, true);
	procfs_set_root(folder);
	show(folder, "/proc/stat", "cpu 1000 0 0 0 0 0 0 %llu\n", 1);
	show(folder, "/proc/10/task/10/schedstat", "%llu 0 7\n", executed);
	stolen_begin(&step->stolen);
	sampled(step, PERIOD, PERIOD, false);
	show(folder, "/proc/stat", "cpu 2000 0 0 0 0 0 0 %llu\n", 1 + lost_ticks);
	made = step->ledger.processed;
	step->task->cpu += 119 * PERIOD;
	step->tasks.cpu = step->task->cpu;
	sampled(step, 121 * PERIOD, PERIOD, false);
	/* Whether it was stolen is known when the records come to the time of the question. */
	assert_in_range(step->ledger.processed - made, 1, 2);
	assert_true(step->task->gap.length >= 117 * PERIOD);
	if (ends) {
		step->task->state = TASK_ENDED;
		estimate_end(&step->estimate, step->task, 122 * PERIOD);
		made = step->ledger.processed - made - 1;
	} else {
		sampled(step, clock_monotonic_ns() + NSEC_PER_SEC, PERIOD, false);
		made = step->ledger.processed - made - 2;
	}
	assert_int_equal(step->task->gap.length, 0);
	procfs_set_root(NULL);
	task_folder(folder, false);
	return made;
}

static void no_samples_are_made_where_a_task_did_not_execute(void **state)
{
	struct step *step = *state;

	assert_int_equal(made_in_gap(step, 200 / TICK, 41 * PERIOD, false), 39);
	assert_int_equal(step->task->samples.stolen, 80 * PERIOD);
	assert_int_equal(step->stolen.step, 80 * PERIOD);
}

static void what_was_stolen_before_a_task_ends_is_known(void **state)
{
	struct step *step = *state;

	assert_int_equal(made_in_gap(step, 200 / TICK, 41 * PERIOD, true), 39);
	assert_int_equal(step->task->samples.stolen, 80 * PERIOD);
}

/* What a task had executed before the session attached to it is not of the session. */
static void what_was_executed_before_the_session_does_not_count(void **state)
{
	struct step *step = *state;

	step->task->waits.delay.executed = 1000 * PERIOD;
	assert_int_equal(made_in_gap(step, 200 / TICK, 1041 * PERIOD, false), 39);
	assert_int_equal(step->task->samples.stolen, 80 * PERIOD);
}

/* More than the machine lost was not stolen: it is something else for which the kernel took the processor. */
static void no_more_is_stolen_than_the_machine_lost(void **state)
{
	struct step *step = *state;

	assert_int_equal(made_in_gap(step, 30 / TICK, 41 * PERIOD, false), 89);
	assert_int_equal(step->stolen.step, 30 * PERIOD);
}

/* It is the kernel's time if the task has executed; of what was stolen the step has its part. */
static void samples_are_made_where_a_task_executed(void **state)
{
	struct step *step = *state;

	assert_int_equal(made_in_gap(step, 200 / TICK, 122 * PERIOD, false), 117);
	assert_int_equal(step->task->samples.stolen, 2 * PERIOD);
}

static void made_samples_are_solo_as_far_as_their_task_was(void **state)
{
	struct step *step = *state;
	unsigned solo = 0;

	step->task->stack = step->left;
	step->task->cpu = 9 * PERIOD;
	step->task->cpu_solo = 3 * PERIOD + PERIOD / 2;
	step->task->state = TASK_ENDED;
	estimate_end(&step->estimate, step->task, 100 * PERIOD);
	estimate_finish(&step->estimate, 100 * PERIOD);
	assert_int_equal(step->ledger.processed, 9);
	for (size_t i = 0; i < 9; i++)
		solo += (row(step, i)->flags & SAMPLE_SOLO) != 0;
	assert_int_equal(solo, 4);
}

static void time_that_still_runs_counts_but_with_proc(void **state)
{
	struct step *step = *state;

	step->task->stack = step->left;
	step->task->state = TASK_RUNNING;
	step_clock_begin_running(&step->clock);
	step_clock_advance(&step->clock, 4 * PERIOD);
	step->privilege = PRIVILEGE_PROC;
	estimate_settle(&step->estimate, step->task, 4 * PERIOD, true);
	assert_int_equal(step->ledger.processed, 0);
	/* The last period's sample may still come. */
	step->privilege = PRIVILEGE_FULL;
	estimate_settle(&step->estimate, step->task, 4 * PERIOD, true);
	assert_int_equal(step->ledger.processed, 3);
}

static void few_missing_samples_wait_for_the_next_one(void **state)
{
	struct step *step = *state;

	step->task->stack = step->left;
	step->task->cpu = 65 * PERIOD;
	estimate_settle(&step->estimate, step->task, 100 * PERIOD, false);
	assert_int_equal(step->ledger.processed, 0);
	step->task->cpu = 66 * PERIOD;
	estimate_settle(&step->estimate, step->task, 100 * PERIOD, false);
	assert_int_equal(step->ledger.processed, 65);
}

static void the_rest_of_a_task_goes_to_its_program(void **state)
{
	struct step *step = *state;
	struct residue *residue = step->task->process->residue;

	step->task->stack = step->left;
	step->task->cpu = PERIOD * 17 / 10;
	step->task->samples.count = 1;
	step->task->state = TASK_ENDED;
	estimate_end(&step->estimate, step->task, 9 * PERIOD);
	assert_int_equal(step->ledger.processed, 0);
	assert_int_equal(residue->seen, PERIOD * 7 / 10);
	/* Another task had a sample for what this one used. */
	step->task->samples = (struct task_samples){ .count = 2 };
	step->task->cpu = PERIOD * 13 / 10;
	estimate_end(&step->estimate, step->task, 9 * PERIOD);
	assert_int_equal(residue->seen, 0);
	step->task->samples = (struct task_samples){ 0 };
	step->task->cpu = PERIOD;
	estimate_end(&step->estimate, step->task, 9 * PERIOD);
	assert_int_equal(step->ledger.processed, 0);
	estimate_finish(&step->estimate, 10 * PERIOD);
	assert_int_equal(step->ledger.processed, 1);
	assert_int_equal(row(step, 0)->kind, SAMPLE_RESIDUE);
	assert_int_equal(residue->unseen, 0);
}

/*
 * Each tenth of a hundred tasks is at another place: what they lack is not all
 * shown at one place.
 */
static void the_rests_of_tasks_are_where_they_were(void **state)
{
	struct step *step = *state;
	unsigned left = 0, right = 0;

	for (int i = 0; i < 100; i++) {
		step->task->stack = i % 10 ? step->left : step->right;
		step->task->samples = (struct task_samples){ .count = 4 };
		step->task->cpu = PERIOD * (i % 10 ? 45 : 49) / 10;
		step->task->state = TASK_ENDED;
		estimate_end(&step->estimate, step->task, (uint64_t)(i + 9) * PERIOD);
	}
	estimate_finish(&step->estimate, 200 * PERIOD);
	for (size_t i = 0; i < step->ledger.rows.count; i++) {
		left += row(step, i)->stack == step->left;
		right += row(step, i)->stack == step->right;
	}
	/* 45 ms and 9 ms; together exact. */
	assert_int_equal(left + right, 54);
	assert_in_range(right, 5, 13);
}

static void a_stack_is_estimated_as_near_as_it_is_known(void **state)
{
	struct step *step = *state;
	struct task *task = step->task;
	uint32_t kernel = estimate_stack(&step->estimate, task);

	/*
	 * In turn: nothing is known, then the program, a wait, what other tasks of the
	 * program did, itself.
	 */
	assert_int_not_equal(kernel, 0);
	task->process->image = object_for_memory(&step->objects, "[heap]");
	assert_int_not_equal(estimate_stack(&step->estimate, task), kernel);
	task->waits.recent.stack = step->right;
	task->waits.recent_at = 1;
	assert_int_equal(estimate_stack(&step->estimate, task), step->right);
	step->privilege = PRIVILEGE_PROC;
	assert_int_not_equal(estimate_stack(&step->estimate, task), step->right);
	step->privilege = PRIVILEGE_FULL;
	residue_put(task->process->residue, step->outer, false);
	assert_int_equal(estimate_stack(&step->estimate, task), step->outer);
	task->stack = step->left;
	assert_int_equal(estimate_stack(&step->estimate, task), step->left);
}

static void an_ended_child_of_a_finer_task_gives_back_what_it_was_lent(void **state)
{
	struct step *step = *state;
	struct residue *residue = step->task->process->residue;

	step->task->short_task.steered = 300;
	step->task->short_task.finer = true;
	step->task->cpu = 1000;
	step->task->state = TASK_ENDED;
	estimate_end(&step->estimate, step->task, 9 * PERIOD);
	assert_int_equal(residue->rest, 1300);
}

/* Returns a child of the step's task that was forked at a time. */
static struct task *forked_at(struct step *step, uint64_t time)
{
	struct task *child;

	child = tasks_add_task(&step->tasks, step->task->process, 11 + (int)step->tasks.alive, "a",
			       time);
	short_tasks_begin(&step->short_tasks, child, step->task);
	return child;
}

/* Returns whether a sample of a child counts. */
static bool counts(struct step *step, struct task *child, uint64_t time, bool finer,
		   unsigned processor)
{
	struct observation seen = { .kind = OBSERVED_SAMPLE, .time = time };

	seen.sample.finer = finer;
	seen.processor = processor;
	seen.sample.period = finer ? PERIOD / 8 : PERIOD;
	return short_tasks_take(&step->short_tasks, child, &seen);
}

/* The parent is given finer events between 10 and 11 ms. */
static void give_finer(struct step *step)
{
	step->task->short_task.finer = true;
	step->task->short_task.asked = 10 * PERIOD;
	step->task->short_task.given = 11 * PERIOD;
}

static void a_fork_before_the_finer_events_has_none(void **state)
{
	struct step *step = *state;
	struct task *child;

	give_finer(step);
	child = forked_at(step, 10 * PERIOD - 1);
	assert_true(counts(step, child, 12 * PERIOD, false, 0));
	/* Its children have none either, whenever they are forked. */
	step->task = child;
	assert_true(counts(step, forked_at(step, 900 * PERIOD), 901 * PERIOD, false, 0));
}

static void a_second_fork_after_them_has_them_on_each_processor(void **state)
{
	struct step *step = *state;
	struct task *child;

	give_finer(step);
	forked_at(step, 11 * PERIOD);
	child = forked_at(step, 11 * PERIOD + 1);
	assert_false(counts(step, child, 112 * PERIOD, false, 0));
	assert_true(counts(step, child, 112 * PERIOD, true, 1));
	/* It is certain that all that it forks has them. */
	step->task = child;
	assert_false(counts(step, forked_at(step, 12 * PERIOD), 13 * PERIOD, false, 0));
}

static void samples_tell_of_the_first_fork(void **state)
{
	struct step *step = *state;
	struct task *child;

	give_finer(step);
	child = forked_at(step, 12 * PERIOD);
	assert_true(counts(step, child, 13 * PERIOD, false, 0));
	assert_true(counts(step, child, 14 * PERIOD, true, 1));
	assert_false(counts(step, child, 15 * PERIOD, false, 1));
	assert_true(counts(step, child, 16 * PERIOD, false, 0));
	/* Nothing is known of the fork: its record was lost. */
	child = tasks_add_task(&step->tasks, step->task->process, 99, "a", 0);
	assert_true(counts(step, child, 13 * PERIOD, false, 0));
	assert_true(counts(step, child, 14 * PERIOD, true, 0));
	assert_false(counts(step, child, 15 * PERIOD, false, 0));
}

static void a_task_that_is_given_them_had_others_before(void **state)
{
	struct step *step = *state;

	give_finer(step);
	assert_true(counts(step, step->task, 11 * PERIOD - 1, false, 0));
	assert_false(counts(step, step->task, 11 * PERIOD, false, 0));
	assert_true(counts(step, step->task, 11 * PERIOD, true, 0));
}

static void who_had_them_is_known_until_the_records_are_read(void **state)
{
	struct step *step = *state;
	struct task *child;

	give_finer(step);
	forked_at(step, 110 * PERIOD);
	child = forked_at(step, 111 * PERIOD);
	step->short_tasks.until = 200 * PERIOD;
	assert_true(counts(step, child, 199 * PERIOD, true, 0));
	assert_false(counts(step, child, 199 * PERIOD, false, 0));
	assert_false(counts(step, child, 200 * PERIOD, true, 0));
	assert_true(counts(step, child, 200 * PERIOD, false, 0));
	assert_true(counts(step, forked_at(step, 200 * PERIOD), 201 * PERIOD, false, 0));
}

/* Ten children end that used cpu each, of which samples show sampled. */
static void ten_end(struct step *step, uint64_t cpu, uint64_t sampled, bool finer)
{
	for (int i = 0; i < 10; i++) {
		struct task *child = forked_at(step, 500 * PERIOD);

		child->cpu = cpu;
		child->short_task.finer = finer;
		child->short_task.sampled = sampled;
		child->samples.count = sampled / PERIOD;
		child->state = TASK_ENDED;
		short_tasks_end(&step->short_tasks, child);
		estimate_end(&step->estimate, child, 501 * PERIOD);
	}
}

/* Returns the number of samples of a kind. */
static unsigned rows_of(const struct step *step, enum sample_kind kind)
{
	unsigned count = 0;

	for (size_t i = 0; i < step->ledger.rows.count; i++)
		count += row(step, i)->kind == kind;
	return count;
}

static void what_users_do_not_see_of_short_tasks_is_the_kernels(void **state)
{
	struct step *step = *state;

	step->privilege = PRIVILEGE_USER;
	give_finer(step);
	/* 6 ms without a sample, then 30 ms of which 10 were outside the kernel. */
	ten_end(step, PERIOD * 6 / 10, 0, false);
	assert_int_equal(step->ledger.processed, 0);
	ten_end(step, 3 * PERIOD, PERIOD, true);
	assert_int_equal(step->ledger.processed, 20);
	assert_int_equal(rows_of(step, SAMPLE_KERNEL_ESTIMATED), 20);
	/* They have shown where the others used it too. */
	estimate_finish(&step->estimate, 600 * PERIOD);
	assert_int_equal(rows_of(step, SAMPLE_KERNEL_ESTIMATED), 24);
	assert_int_equal(rows_of(step, SAMPLE_RESIDUE), 2);
	assert_int_equal(step->estimate.unplaced, 0);
}

static void what_nobody_shows_is_told_as_that(void **state)
{
	struct step *step = *state;

	step->privilege = PRIVILEGE_USER;
	ten_end(step, PERIOD * 6 / 10, 0, false);
	estimate_finish(&step->estimate, 600 * PERIOD);
	assert_int_equal(rows_of(step, SAMPLE_RESIDUE), 6);
	assert_int_equal(step->estimate.unplaced, 6 * PERIOD);
}

/* What the system counted beyond the records belongs to the tasks that ended. */
static void the_kernels_work_at_ends_is_its_own(void **state)
{
	struct step *step = *state;
	struct process *other = tasks_add_process(&step->tasks, 400, NULL, 0);
	struct task *task = tasks_add_task(&step->tasks, other, 400, "b", 0);

	other->residue = residues_get(&step->residues, "/bin/b");
	task->state = TASK_ENDED;
	for (int i = 0; i < 10; i++)
		estimate_end(&step->estimate, task, 10 * PERIOD);
	ten_end(step, 0, 0, false);
	ten_end(step, 0, 0, false);
	estimate_ends(&step->estimate, 6 * PERIOD + PERIOD / 2, &(struct estimate_switches){ 0 },
		      20 * PERIOD);
	assert_int_equal(step->ledger.processed, 6);
	assert_int_equal(rows_of(step, SAMPLE_KERNEL_ESTIMATED), 6);
	assert_int_equal(task->samples.count, 2);
	/* More than 1 ms for each of 30 ends and 5 us per switch is something else. */
	estimate_ends(&step->estimate, 90 * PERIOD, &(struct estimate_switches){ .count = 600 },
		      20 * PERIOD);
	assert_int_equal(step->ledger.processed, 6 + 30 + 3);
	/* Unless the switches are known to have taken more. */
	estimate_ends(&step->estimate, 9 * PERIOD,
		      &(struct estimate_switches){ .count = 600, .taken = 20 * PERIOD },
		      20 * PERIOD);
	assert_int_equal(step->ledger.processed, 6 + 30 + 3 + 9);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_lone_task_is_solo),
		TEST(a_task_beside_another_is_not_solo),
		TEST(a_task_beside_a_file_wait_is_not_solo),
		TEST(lots_choose_evenly),
		TEST(whole_periods_need_no_lot),
		TEST(each_sample_taken_is_processed_or_thinned),
		TEST(a_sample_needs_a_whole_period),
		TEST(halving_moves_samples_to_the_thinned),
		TEST(rows_have_the_transaction_in_force),
		TEST(what_is_missed_between_two_samples_is_where_their_ways_part),
		TEST(what_is_missed_is_where_collectors_knew_the_place),
		TEST(users_miss_what_the_kernel_did),
		TEST(what_is_missed_after_a_long_wait_is_where_the_task_was_after_it),
		TEST(the_next_sample_stands_for_the_last_period_before_a_long_wait),
		TEST(what_is_missed_before_a_long_wait_is_where_the_task_was_before_it),
		TEST(no_sample_is_made_for_stolen_time),
		TEST(no_samples_are_made_where_a_task_did_not_execute),
		TEST(what_was_stolen_before_a_task_ends_is_known),
		TEST(what_was_executed_before_the_session_does_not_count),
		TEST(no_more_is_stolen_than_the_machine_lost),
		TEST(samples_are_made_where_a_task_executed),
		TEST(made_samples_are_solo_as_far_as_their_task_was),
		TEST(time_that_still_runs_counts_but_with_proc),
		TEST(few_missing_samples_wait_for_the_next_one),
		TEST(the_rest_of_a_task_goes_to_its_program),
		TEST(the_rests_of_tasks_are_where_they_were),
		TEST(a_stack_is_estimated_as_near_as_it_is_known),
		TEST(an_ended_child_of_a_finer_task_gives_back_what_it_was_lent),
		TEST(a_fork_before_the_finer_events_has_none),
		TEST(a_second_fork_after_them_has_them_on_each_processor),
		TEST(samples_tell_of_the_first_fork),
		TEST(a_task_that_is_given_them_had_others_before),
		TEST(who_had_them_is_known_until_the_records_are_read),
		TEST(what_users_do_not_see_of_short_tasks_is_the_kernels),
		TEST(what_nobody_shows_is_told_as_that),
		TEST(the_kernels_work_at_ends_is_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
