/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of when tasks are looked at, and how often: with children that sleep
 * or calculate, with tasks that are not there, and no sampler.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "sampler/perf.h"
#include "sampler/probe.h"
#include "sampler/stack-resolve.h"
#include "sampler/stacks.h"
#include "sampler/tasks.h"
#include "sampler/transactions.h"
#include "sampler/wait-looks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define AGE 5000000
/* Numbers that no machine gives out. */
#define NOBODY 5000001

struct step {
	struct step_clock clock;
	struct tasks tasks;
	struct object_list objects;
	struct stacks stacks;
	struct files *files;
	struct prober *prober;
	struct transactions *transactions;
	struct stack_resolver resolver;
	struct perf perf;
	enum privilege privilege;
	struct waits waits;
	struct wait_looks looks;
	pid_t child;
};

static int begin(void **state)
{
	struct step *step = calloc(1, sizeof(*step));

	step->privilege = PRIVILEGE_USER;
	step_clock_init(&step->clock, 1000);
	tasks_init(&step->tasks);
	object_list_init(&step->objects);
	stacks_init(&step->stacks, &step->objects);
	step->files = files_new(NULL, 0);
	step->prober = prober_new(step->files);
	step->transactions = transactions_new(NULL, NULL);
	stack_resolve_init(&step->resolver, &step->stacks, NULL, NULL, step->transactions);
	waits_init(&step->waits, &(struct waits_parts){
					 .clock = &step->clock,
					 .files = step->files,
					 .transactions = step->transactions,
					 .perf = &step->perf,
					 .privilege = &step->privilege,
				 });
	wait_looks_init(&step->looks, &(struct wait_looks_parts){
					      .waits = &step->waits,
					      .clock = &step->clock,
					      .tasks = &step->tasks,
					      .prober = step->prober,
					      .perf = &step->perf,
					      .resolver = &step->resolver,
					      .transactions = step->transactions,
				      });
	*state = step;
	return 0;
}

static int finish(void **state)
{
	struct step *step = *state;

	if (step->child > 0) {
		kill(step->child, SIGKILL);
		waitpid(step->child, NULL, 0);
	}
	waits_release(&step->waits);
	transactions_free(step->transactions);
	prober_free(step->prober);
	files_free(step->files);
	stacks_release(&step->stacks);
	object_list_release(&step->objects);
	tasks_release(&step->tasks);
	free(step);
	return 0;
}

/* Start a child that sleeps, or calculates for ever, and wait until it does; its task. */
static struct task *child_that(struct step *step, bool sleeps)
{
	struct process *process;

	step->child = fork();
	assert_true(step->child >= 0);
	if (step->child == 0) {
		while (sleeps)
			sleep(100);
		for (;;)
			;
	}
	while (sleeps && procfs_state(step->child, step->child) != 'S')
		usleep(1000);
	process = tasks_add_process(&step->tasks, step->child, NULL, 1000);
	return tasks_add_task(&step->tasks, process, step->child, "child", 1000);
}

/* A task that has no counterpart in /proc. */
static struct task *nobody(struct step *step, int number)
{
	struct process *process = tasks_add_process(&step->tasks, NOBODY + number, NULL, 1000);

	return tasks_add_task(&step->tasks, process, NOBODY + number, "nobody", 1000);
}

static void opens(struct step *step, struct task *task, uint64_t time)
{
	step_clock_advance(&step->clock, time);
	task->state = TASK_BLOCKED;
	waits_open(&step->waits, task, false);
}

static void closes(struct step *step, struct task *task, uint64_t time)
{
	step_clock_advance(&step->clock, time);
	waits_close(&step->waits, task, true);
	task->state = TASK_RUNNING;
	task->since = step->clock.active;
}

/* So many short waits whose place is not known; the last of them is deferred. */
static void short_waits(struct step *step, struct task *task, int count)
{
	for (int i = 0; i <= count; i++) {
		opens(step, task, step->clock.now + 100);
		closes(step, task, step->clock.now + 10);
	}
}

static void a_sleeping_task_is_found_and_not_looked_at_again(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, true);

	opens(step, task, 2000);
	wait_looks_round(&step->looks, AGE);
	assert_int_equal(step->looks.probes, 1);
	assert_true(task->waits.going.known);
	assert_int_equal(task->waits.going.site.reason, WAIT_SLEEP);
	assert_null(step->waits.unknown);
	assert_false(step->looks.task_gone);
	step_clock_advance(&step->clock, 100 * AGE);
	wait_looks_round(&step->looks, AGE);
	assert_int_equal(step->looks.probes, 1);
}

static void the_next_wait_is_looked_at_once_it_has_lasted(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, true);

	opens(step, task, 2000);
	wait_looks_round(&step->looks, AGE);
	closes(step, task, 3000);
	opens(step, task, 4000);
	step_clock_advance(&step->clock, 4000 + AGE - 1);
	wait_looks_round(&step->looks, AGE);
	assert_int_equal(step->looks.probes, 1);
	step_clock_advance(&step->clock, 4000 + AGE);
	wait_looks_round(&step->looks, AGE);
	assert_int_equal(step->looks.probes, 2);
	assert_true(task->waits.going.known);
}

static void a_task_that_is_gone_is_told_of(void **state)
{
	struct step *step = *state;
	struct task *task = nobody(step, 0);

	opens(step, task, 2000);
	wait_looks_round(&step->looks, AGE);
	assert_true(step->looks.task_gone);
	assert_false(task->waits.going.known);
	assert_ptr_equal(step->waits.unknown, task);
}

static void a_round_has_room_for_some_looks_only(void **state)
{
	struct step *step = *state;

	for (int i = 0; i < 100; i++)
		opens(step, nobody(step, i), 2000);
	wait_looks_round(&step->looks, AGE);
	assert_int_equal(step->looks.probes, 64);
}

static void a_task_that_is_found_running_is_given_up(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, false);

	short_waits(step, task, 1);
	for (int i = 0; i < 16; i++) {
		assert_int_equal(step->looks.probes, 4 * i);
		wait_looks_round(&step->looks, AGE);
	}
	/* Its last short waits are still to be placed, but it is not worth more looks. */
	for (int i = 0; i < 20; i++)
		wait_looks_round(&step->looks, AGE);
	assert_int_equal(step->looks.probes, 64);
	assert_ptr_equal(step->waits.unknown, task);
	waits_end(&step->waits, task);
	assert_null(step->waits.unknown);
}

static void a_task_without_open_questions_leaves_the_list(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, false);

	opens(step, task, 2000);
	task->state = TASK_RUNNING;
	task->waits.futile = 64;
	wait_looks_round(&step->looks, AGE);
	assert_null(step->waits.unknown);
}

static void many_short_waits_are_worth_a_close_look_now_and_then(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, false);
	uint64_t probes;

	task->waits.futile = 64;
	short_waits(step, task, 3);
	step->perf.cpu_count = 2;
	wait_looks_round(&step->looks, AGE);
	assert_int_equal(step->looks.probes, 0);
	short_waits(step, task, 1);
	/* Not where the task has no other processor. */
	step->perf.cpu_count = 1;
	wait_looks_round(&step->looks, AGE);
	assert_int_equal(step->looks.probes, 0);
	step->perf.cpu_count = 2;
	wait_looks_round(&step->looks, AGE);
	probes = step->looks.probes;
	assert_true(probes > 0);
	/* The next one needs new waits, and a pause. */
	short_waits(step, task, 10);
	wait_looks_round(&step->looks, AGE);
	assert_int_equal(step->looks.probes, probes);
	step_clock_advance(&step->clock, step->clock.now + 20000000);
	wait_looks_round(&step->looks, AGE);
	assert_true(step->looks.probes > probes);
	/* Each that finds nothing makes the pause longer. */
	assert_int_equal(step->looks.close_pause, 40000000);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sleeping_task_is_found_and_not_looked_at_again),
		TEST(the_next_wait_is_looked_at_once_it_has_lasted),
		TEST(a_task_that_is_gone_is_told_of),
		TEST(a_round_has_room_for_some_looks_only),
		TEST(a_task_that_is_found_running_is_given_up),
		TEST(a_task_without_open_questions_leaves_the_list),
		TEST(many_short_waits_are_worth_a_close_look_now_and_then),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
