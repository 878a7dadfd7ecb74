/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of samples, of their ledger and of what is estimated beside them, with
 * one task and no sampler. Whether the task is alone has a twin each.
 */
#include "common/compat.h"
#include "sampler/estimate.h"
#include "sampler/residue.h"
#include "sampler/sample-ledger.h"
#include "sampler/samples.h"
#include "sampler/short-tasks.h"
#include "sampler/stack-resolve.h"
#include "sampler/stacks.h"
#include "sampler/tasks.h"
#include "sampler/transactions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define PERIOD 1000000

struct step {
	struct step_clock clock;
	struct tasks tasks;
	struct object_list objects;
	struct stacks stacks;
	struct transactions *transactions;
	struct residues residues;
	struct sample_ledger ledger;
	struct short_tasks short_tasks;
	struct estimate estimate;
	struct stack_resolver resolver;
	struct samples samples;
	enum privilege privilege;
	struct task *task;
	uint32_t outer, left, right; /* stacks: one, and two that it called */
};

/* A stack of the program, called from parent. */
static uint32_t stack_at(struct step *step, uint32_t parent, uint64_t offset)
{
	const struct object *object = object_for_memory(&step->objects, "[heap]");

	return stacks_push(&step->stacks, parent, stacks_frame(&step->stacks, object, offset, 10));
}

/* Make the parts that know of samples. */
static void make_parts(struct step *step)
{
	sample_ledger_init(&step->ledger, PERIOD, step->transactions);
	estimate_init(&step->estimate, &(struct estimate_parts){
					       .clock = &step->clock,
					       .ledger = &step->ledger,
					       .stacks = &step->stacks,
					       .short_tasks = &step->short_tasks,
					       .privilege = &step->privilege,
				       });
	stack_resolve_init(&step->resolver, &step->stacks, NULL, NULL, step->transactions);
	samples_init(&step->samples, &(struct samples_parts){
					     .clock = &step->clock,
					     .ledger = &step->ledger,
					     .estimate = &step->estimate,
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
	tasks_init(&step->tasks);
	object_list_init(&step->objects);
	stacks_init(&step->stacks, &step->objects);
	step->transactions = transactions_new(NULL, NULL);
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
	residues_release(&step->residues);
	free(step);
	return 0;
}

/* The row with a number. */
static const struct record_sample *row(const struct step *step, size_t number)
{
	assert_true(number < step->ledger.rows.count);
	return recordset_get(&step->ledger.rows, number);
}

/* The task executed for a period, and was sampled: without registers, where it was last. */
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
	/* Those that the kernel dropped are counted beside. */
	sample_ledger_records_lost(&step->ledger, 1);
	assert_true(sample_ledger_lose(&step->ledger, step->task));
	assert_false(sample_ledger_lose(&step->ledger, step->task));
	assert_int_equal(ledger->taken, 10);
	assert_int_equal(ledger->lost, 1);
	assert_int_equal(sample_ledger_told(ledger, step->task), (2 + 1) * 4 * PERIOD);
	assert_int_equal(sample_ledger_stands_for(ledger, step->task), (3 * 4 + 2) * PERIOD);
}

static void a_sample_needs_a_whole_period(void **state)
{
	struct step *step = *state;

	assert_false(sample_ledger_accept(&step->ledger, step->task, PERIOD - 1));
	assert_true(sample_ledger_accept(&step->ledger, step->task, 1));
	assert_int_equal(step->task->samples.credit, 0);
	/* One that begins with credit needs so much less, and owes it. */
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
	/* Of five every second stays, the first too: a period and a half become one and a debt. */
	assert_int_equal(sample_ledger_recount(ledger, step->task, 5, 3, 2 * PERIOD), -PERIOD);
	sample_ledger_halve(ledger, 2, 1, 2 * PERIOD);
	assert_int_equal(ledger->taken, 5);
	assert_int_equal(ledger->processed, 3);
	assert_int_equal(ledger->thinned, 2);
	assert_int_equal(ledger->whole, 2);
	assert_int_equal(ledger->broken, 1);
	assert_int_equal(ledger->period, 2 * PERIOD);
	assert_int_equal(ledger->period_initial, PERIOD);
	assert_int_equal(sample_ledger_stands_for(ledger, step->task), 5 * PERIOD);
}

static void rows_have_the_transaction_in_force(void **state)
{
	struct step *step = *state;
	uint64_t work = transactions_id(step->transactions, "WORK");

	sample_ledger_add(&step->ledger, step->task, 1, step->left, SAMPLE_USER, 0);
	transactions_set(step->transactions, step->task->tid, 2, work, 1);
	sample_ledger_add(&step->ledger, step->task, 3, step->left, SAMPLE_USER, 0);
	assert_int_equal(row(step, 0)->transaction, 0);
	assert_int_equal(row(step, 1)->transaction, work);
}

static void what_is_missed_between_two_samples_is_where_their_ways_part(void **state)
{
	struct step *step = *state;

	/* Three periods were used; a sample has come, after one that was elsewhere. */
	step->task->stack = step->left;
	step->task->cpu = 3 * PERIOD;
	estimate_before(&step->estimate, step->task, step->right, 7 * PERIOD);
	assert_int_equal(step->ledger.processed, 2);
	assert_int_equal(row(step, 0)->stack, step->left);
	assert_int_equal(row(step, 0)->kind, SAMPLE_RESIDUE);
	assert_int_equal(row(step, 0)->time, 5 * PERIOD);
	assert_int_equal(row(step, 0)->flags, 0);
	assert_int_equal(row(step, 1)->time, 6 * PERIOD);
	sample_ledger_add(&step->ledger, step->task, 7 * PERIOD, step->right, SAMPLE_USER, 0);
	/* By turns on the one's way and the other's. */
	step->task->cpu += 2 * PERIOD;
	estimate_before(&step->estimate, step->task, step->right, 9 * PERIOD);
	assert_int_equal(row(step, 3)->stack, step->right);
}

static void users_miss_what_the_kernel_did(void **state)
{
	struct step *step = *state;

	step->privilege = PRIVILEGE_USER;
	step->task->stack = step->left;
	step->task->cpu = 2 * PERIOD;
	estimate_before(&step->estimate, step->task, step->left, 7 * PERIOD);
	assert_int_equal(step->ledger.processed, 1);
	assert_int_equal(row(step, 0)->kind, SAMPLE_KERNEL_ESTIMATED);
	assert_int_equal(stacks_parent(&step->stacks, (uint32_t)row(step, 0)->stack), step->left);
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

static void dropped_records_explain_missing_samples_first(void **state)
{
	struct step *step = *state;

	sample_ledger_records_lost(&step->ledger, 2);
	step->task->stack = step->left;
	step->task->cpu = 6 * PERIOD;
	estimate_settle(&step->estimate, step->task, 100 * PERIOD, true);
	assert_int_equal(step->ledger.lost, 2);
	assert_int_equal(step->ledger.processed, 3);
	assert_int_equal(step->ledger.taken, 3);
	assert_int_equal(step->ledger.lost_open, 0);
	/* They are not made up for once more. */
	estimate_settle(&step->estimate, step->task, 100 * PERIOD, true);
	assert_int_equal(step->ledger.processed, 3);
}

static void the_rest_of_a_task_goes_to_its_program(void **state)
{
	struct step *step = *state;
	struct residue *residue = step->task->process->residue;

	step->task->stack = step->left;
	step->task->cpu = PERIOD * 7 / 10;
	step->task->state = TASK_ENDED;
	estimate_end(&step->estimate, step->task, 9 * PERIOD);
	assert_int_equal(step->ledger.processed, 0);
	assert_int_equal(residue->rest, PERIOD * 7 / 10);
	step->task->samples = (struct task_samples){ 0 };
	step->task->cpu = PERIOD * 3 / 10;
	estimate_end(&step->estimate, step->task, 9 * PERIOD);
	assert_int_equal(step->ledger.processed, 1);
	assert_int_equal(row(step, 0)->kind, SAMPLE_RESIDUE);
	assert_int_equal(residue->rest, 0);
}

static void a_stack_is_estimated_as_near_as_it_is_known(void **state)
{
	struct step *step = *state;
	struct task *task = step->task;
	uint32_t kernel = estimate_stack(&step->estimate, task);

	/* Nothing is known, then the program, a wait, what others of the program did, itself. */
	assert_int_not_equal(kernel, 0);
	task->process->image = object_for_memory(&step->objects, "[heap]");
	assert_int_not_equal(estimate_stack(&step->estimate, task), kernel);
	task->waits.recent.stack = step->right;
	task->waits.recent_at = 1;
	assert_int_equal(estimate_stack(&step->estimate, task), step->right);
	step->privilege = PRIVILEGE_PROC;
	assert_int_not_equal(estimate_stack(&step->estimate, task), step->right);
	step->privilege = PRIVILEGE_FULL;
	residue_put(task->process->residue, step->outer);
	assert_int_equal(estimate_stack(&step->estimate, task), step->outer);
	task->stack = step->left;
	assert_int_equal(estimate_stack(&step->estimate, task), step->left);
}

static void an_ended_child_of_a_finer_task_gives_back_what_it_was_lent(void **state)
{
	struct step *step = *state;
	struct residue *residue = step->task->process->residue;

	step->task->short_task.steered = 300;
	step->task->cpu = 1000;
	step->task->state = TASK_ENDED;
	estimate_end(&step->estimate, step->task, 9 * PERIOD);
	assert_int_equal(residue->rest, 1300);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_lone_task_is_solo),
		TEST(a_task_beside_another_is_not_solo),
		TEST(a_task_beside_a_file_wait_is_not_solo),
		TEST(each_sample_taken_is_processed_or_thinned),
		TEST(a_sample_needs_a_whole_period),
		TEST(halving_moves_samples_to_the_thinned),
		TEST(rows_have_the_transaction_in_force),
		TEST(what_is_missed_between_two_samples_is_where_their_ways_part),
		TEST(users_miss_what_the_kernel_did),
		TEST(time_that_still_runs_counts_but_with_proc),
		TEST(few_missing_samples_wait_for_the_next_one),
		TEST(dropped_records_explain_missing_samples_first),
		TEST(the_rest_of_a_task_goes_to_its_program),
		TEST(a_stack_is_estimated_as_near_as_it_is_known),
		TEST(an_ended_child_of_a_finer_task_gives_back_what_it_was_lent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
