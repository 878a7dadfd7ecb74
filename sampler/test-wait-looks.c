/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests when and how often tasks are looked at: with children that sleep or
 * calculate, with tasks that do not exist, and without a sampler.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "records/record-types.h"
#include "sampler/perf.h"
#include "sampler/probe.h"
#include "sampler/stack-resolve.h"
#include "sampler/stacks.h"
#include "sampler/tasks.h"
#include "sampler/wait-looks.h"
#include "step/transactions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define AGE 5000000
/* Numbers that no machine assigns. */
#define NOBODY 5000001

struct step {
	struct step_clock clock;
	struct step_tasks step_tasks;
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
	step_tasks_init(&step->step_tasks);
	tasks_init(&step->tasks, &step->step_tasks);
	object_list_init(&step->objects);
	stacks_init(&step->stacks, &step->objects);
	step->files = files_new(NULL, 0);
	step->prober = prober_new(step->files);
	step->transactions = transactions_new(NULL);
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
	wait_looks_release(&step->looks);
	waits_release(&step->waits);
	transactions_free(step->transactions);
	prober_free(step->prober);
	files_free(step->files);
	stacks_release(&step->stacks);
	object_list_release(&step->objects);
	tasks_release(&step->tasks);
	step_tasks_release(&step->step_tasks);
	free(step);
	return 0;
}

/* Starts a child that sleeps, or calculates forever, and waits until it does; returns its task. */
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

/* Returns a task that has no counterpart in /proc. */
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

/* Makes a round, however soon after the last one. */
static void look_round(struct step *step)
{
	step->looks.round_at = 0;
	wait_looks_round(&step->looks, AGE, false);
}

static void a_sleeping_task_is_found(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, true);

	opens(step, task, 2000);
	look_round(step);
	assert_int_equal(step->looks.probes, 1);
	assert_true(task->waits.current.known);
	assert_int_equal(task->waits.current.site.reason, WAIT_SLEEP);
	assert_false(step->looks.task_gone);
	/* It stays on the list for a second: it may already wait elsewhere. */
	assert_int_equal(step->waits.listed_count, 1);
	step_clock_advance(&step->clock, 2000000000);
	look_round(step);
	assert_int_equal(step->looks.probes, 1);
	assert_int_equal(step->waits.listed_count, 0);
}

static void a_round_that_comes_too_soon_does_nothing(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, true);
	uint64_t now;

	opens(step, task, 2000);
	look_round(step);
	/* Repeat until it was certainly too soon: the test was not interrupted in between. */
	do {
		memset(&step->looks.gaps, 0, sizeof(step->looks.gaps));
		now = step->looks.round_at = clock_monotonic_ns();
		wait_looks_round(&step->looks, AGE, false);
	} while (clock_monotonic_ns() >= now + 2 * NSEC_PER_MSEC);
	assert_int_equal(step->looks.probes, 1);
	assert_int_equal(step->looks.gaps.count, 0);
	usleep(5000);
	wait_looks_round(&step->looks, AGE, false);
	assert_int_equal(step->looks.gaps.count, 1);
	assert_in_range(step->looks.gaps.sum, 5000000, UINT64_MAX);
}

/* A wait that continues is not looked at again; one that may be another is. */
static void a_task_that_has_not_executed_is_left(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, true);

	opens(step, task, 2000);
	look_round(step);
	look_round(step);
	assert_int_equal(step->looks.probes, 1);
	kill(step->child, SIGSTOP);
	while (procfs_state(step->child, step->child) != 'T')
		usleep(1000);
	kill(step->child, SIGCONT);
	while (procfs_state(step->child, step->child) != 'S')
		usleep(1000);
	look_round(step);
	assert_int_equal(step->looks.probes, 2);
}

/* Writes a file of the task NOBODY in a tree like /proc. */
static void show(const char *folder, const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/%d/task/%d/%s", folder, NOBODY, NOBODY, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* Makes that tree, in which the system call comes from a pipe that keeps its reader waiting. */
static void make_tree(char *folder)
{
	const char *const ends[] = { "", "/5000001", "/5000001/task", "/5000001/task/5000001" };
	char path[128];

	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		snprintf(path, sizeof(path), "%s/proc%s", folder, ends[i]);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	snprintf(path, sizeof(path), "%s/proc%s/syscall", folder, ends[3]);
	assert_int_equal(mkfifo(path, 0600), 0);
	show(folder, "stat", "5000001 (nobody) S 1 1 1 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 5\n");
	show(folder, "schedstat", "1000 0 7\n");
}

static void remove_tree(const char *folder)
{
	const char *const files[] = { "task/5000001/syscall",
				      "task/5000001/stat",
				      "task/5000001/schedstat",
				      "task/5000001",
				      "task",
				      "." };
	char path[128];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), "%s/proc/%d/%s", folder, NOBODY, files[i]);
		remove(path);
	}
	snprintf(path, sizeof(path), "%s/proc/%d", folder, NOBODY);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/proc", folder);
	rmdir(path);
	rmdir(folder);
}

/*
 * Keeps the look that reads the system call waiting, for longer than an
 * uninterrupted look takes. The pipe can only be opened once the look, which began
 * before, has opened it: only then the task executes.
 */
static void keep_waiting(const char *folder, bool executes)
{
	char path[128];
	FILE *call;

	snprintf(path, sizeof(path), "%s/proc/%d/task/%d/syscall", folder, NOBODY, NOBODY);
	call = fopen(path, "w");
	assert_non_null(call);
	usleep(2000);
	if (executes)
		show(folder, "schedstat", "2000 0 8\n");
	fputs("230 0x0 0x0 0x0 0x0 0x0 0x0 0x7ffd0000 0x7f120000\n", call);
	fclose(call);
}

/*
 * Makes a look that is kept waiting, while the task executes or does not. Returns
 * whether it determined the task's place.
 */
static bool found_after_long(struct step *step, bool executes)
{
	char folder[] = "/tmp/vigil-looks-XXXXXX";
	struct task *task = nobody(step, 0);

	make_tree(folder);
	procfs_set_root(folder);
	opens(step, task, step->clock.now + 1000);
	step->child = fork();
	if (step->child == 0) {
		keep_waiting(folder, executes);
		_exit(0);
	}
	look_round(step);
	assert_int_equal(waitpid(step->child, NULL, 0), step->child);
	step->child = 0;
	procfs_set_root(NULL);
	remove_tree(folder);
	return task->waits.current.known || task->waits.last_look.look.until;
}

static void a_look_that_was_interrupted_tells_nothing_once_the_task_has_executed(void **state)
{
	assert_false(found_after_long(*state, true));
}

static void one_that_was_interrupted_in_a_wait_that_lasts_tells_its_place(void **state)
{
	assert_true(found_after_long(*state, false));
}

static void with_proc_alone_waits_that_last_are_looked_at(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, true);

	opens(step, task, 2000);
	step_clock_advance(&step->clock, 2000 + AGE - 1);
	wait_looks_round(&step->looks, AGE, true);
	assert_int_equal(step->looks.probes, 0);
	step_clock_advance(&step->clock, 2000 + AGE);
	wait_looks_round(&step->looks, AGE, true);
	assert_int_equal(step->looks.probes, 1);
	assert_true(task->waits.current.known);
	assert_null(step->waits.odds.gaps);
}

static void a_task_that_is_gone_is_told_of(void **state)
{
	struct step *step = *state;
	struct task *task = nobody(step, 0);

	opens(step, task, 2000);
	look_round(step);
	assert_true(step->looks.task_gone);
	assert_false(task->waits.current.known);
	assert_int_equal(step->waits.listed_count, 1);
}

static void a_round_has_room_for_some_looks_only(void **state)
{
	struct step *step = *state;

	for (int i = 0; i < 100; i++)
		opens(step, nobody(step, i), 2000);
	look_round(step);
	assert_int_equal(step->looks.probes, 4);
	assert_true(step->waits.odds.chance > 0.039 && step->waits.odds.chance < 0.041);
	/* Of those that last there are more. */
	step_clock_advance(&step->clock, 2000 + AGE);
	look_round(step);
	assert_int_equal(step->looks.probes, 4 + 8);
	assert_true(step->waits.odds.old_chance > 0.079 && step->waits.odds.old_chance < 0.081);
}

/* Every task on the list is chosen equally often, as far as chance goes. */
static void whom_a_round_looks_at_is_chance(void **state)
{
	struct step *step = *state;
	struct task *tasks[10];
	unsigned looked[10] = { 0 };

	for (int i = 0; i < 10; i++)
		opens(step, tasks[i] = nobody(step, i), 2000);
	for (int round = 0; round < 2000; round++) {
		look_round(step);
		assert_int_equal(step->waits.listed_count, 10);
		for (int i = 0; i < 4; i++)
			for (int j = 0; j < 10; j++)
				looked[j] += step->looks.chosen[i] == tasks[j];
	}
	for (int i = 0; i < 10; i++)
		assert_in_range(looked[i], 650, 950);
}

static void a_wait_that_cannot_be_found_is_left(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, false);

	opens(step, task, 2000);
	step_clock_advance(&step->clock, 2000 + AGE);
	for (int i = 0; i < 40; i++)
		look_round(step);
	assert_int_equal(step->looks.probes, 16);
}

/*
 * A snapshot splits a wait before data collectors have named its transaction, once
 * before its place is known and twice after that: all of it gets the transaction
 * that they name.
 */
static void what_is_said_of_a_wait_holds_from_its_beginning(void **state)
{
	static const struct wait_site place = { .stack = 3, .reason = WAIT_SLEEP };
	struct step *step = *state;
	struct task *task = nobody(step, 0);
	uint64_t before = transactions_id(step->transactions, "BEFORE");
	uint64_t own = transactions_id(step->transactions, "OWN");
	const struct wait_tallies *tallies = &task->waits.tallies;

	transactions_set(step->transactions, task->base->tid, 1900, before, 1);
	opens(step, task, 2000);
	step_clock_advance(&step->clock, 2300);
	waits_close(&step->waits, task, false);
	step_clock_advance(&step->clock, 2350);
	waits_locate(&step->waits, task, &(struct wait_look){ .site = place, .from = 2350, .until = 2350 });
	task->looks.unanswered = true;
	step_clock_advance(&step->clock, 2400);
	waits_close(&step->waits, task, false);
	assert_int_equal(tallies->count, 0);
	/* Now they answer, at a time ahead of the records. */
	task->looks.unanswered = false;
	waits_locate(&step->waits, task, &(struct wait_look){ .site = place, .from = 2410, .until = 2460 });
	waits_close(&step->waits, task, false);
	assert_int_equal(tallies->count, 0);
	transactions_set(step->transactions, task->base->tid, 2450, own, 1);
	step_clock_advance(&step->clock, 2500);
	waits_close(&step->waits, task, false);
	assert_int_equal(tallies->count, 1);
	step_clock_advance(&step->clock, 2900);
	waits_close(&step->waits, task, true);
	assert_int_equal(tallies->count, 1);
	assert_int_equal(tallies->items[0].amount.transaction, own);
	assert_int_equal(tallies->items[0].amount.total, 900);
	assert_int_equal(tallies->items[0].amount.count, 1);
}

/* Makes count short waits that no look sees. */
static void short_waits(struct step *step, struct task *task, int count)
{
	for (int i = 0; i < count; i++) {
		opens(step, task, step->clock.now + 100);
		step_clock_advance(&step->clock, step->clock.now + 10);
		waits_close(&step->waits, task, true);
		task->state = TASK_RUNNING;
		task->since = step->clock.active;
	}
}

/*
 * Makes a round with a close look, which lasts 3 ms; repeats it if the test was
 * interrupted meanwhile. Returns the number of looks.
 */
static uint64_t look_closely_round(struct step *step)
{
	const uint64_t pause = step->looks.close_pause, next = step->looks.next_close;
	uint64_t began, before;

	do {
		step->looks.close_pause = pause;
		step->looks.next_close = next;
		before = step->looks.probes;
		began = clock_monotonic_ns();
		look_round(step);
	} while (step->looks.probes < before + 4 && clock_monotonic_ns() > began + 4 * NSEC_PER_MSEC);
	return step->looks.probes - before;
}

static void a_task_of_which_nothing_is_known_is_looked_at_closely(void **state)
{
	struct step *step = *state;
	struct task *task = child_that(step, false);
	uint64_t probes;

	short_waits(step, task, 3);
	step->perf.cpu_count = 2;
	look_round(step);
	assert_int_equal(step->looks.probes, 1);
	short_waits(step, task, 1);
	/* Not if the task has no other processor. */
	step->perf.cpu_count = 1;
	look_round(step);
	assert_int_equal(step->looks.probes, 2);
	step->perf.cpu_count = 2;
	assert_true(look_closely_round(step) > 2);
	/* The next one comes after a pause, */
	probes = step->looks.probes;
	look_round(step);
	assert_int_equal(step->looks.probes, probes + 1);
	step_clock_advance(&step->clock, step->clock.now + 20000000);
	assert_true(look_closely_round(step) > 3);
	/* which gets longer with each one that finds nothing. */
	assert_int_equal(step->looks.close_pause, 40000000);
	/* It is not needed if a place is known. */
	task->waits.likes.count = 1;
	step_clock_advance(&step->clock, step->clock.now + 40000000);
	probes = step->looks.probes;
	look_round(step);
	assert_int_equal(step->looks.probes, probes + 1);
	task->waits.likes.count = 0;
}

static void pauses_are_random_and_never_below_half(void **state)
{
	struct step *step = *state;
	const uint64_t mean = 6000000;
	uint64_t sum = 0, above = 0;

	for (int i = 0; i < 4000; i++) {
		uint64_t pause = wait_looks_pause(&step->looks, mean);

		assert_in_range(pause, mean / 2, 4 * mean);
		sum += pause;
		above += pause > mean;
	}
	assert_in_range(sum / 4000, mean * 94 / 100, mean * 106 / 100);
	/* e^-1 of them are longer than the mean. */
	assert_in_range(above, 4000 * 33 / 100, 4000 * 41 / 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sleeping_task_is_found),
		TEST(a_round_that_comes_too_soon_does_nothing),
		TEST(a_task_that_has_not_executed_is_left),
		TEST(a_look_that_was_interrupted_tells_nothing_once_the_task_has_executed),
		TEST(one_that_was_interrupted_in_a_wait_that_lasts_tells_its_place),
		TEST(with_proc_alone_waits_that_last_are_looked_at),
		TEST(a_task_that_is_gone_is_told_of),
		TEST(a_round_has_room_for_some_looks_only),
		TEST(whom_a_round_looks_at_is_chance),
		TEST(a_wait_that_cannot_be_found_is_left),
		TEST(what_is_said_of_a_wait_holds_from_its_beginning),
		TEST(a_task_of_which_nothing_is_known_is_looked_at_closely),
		TEST(pauses_are_random_and_never_below_half),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
