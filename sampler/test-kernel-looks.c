/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests where the kernel's time is placed that an ordinary user cannot sample, and with what
 * certainty: runs of a program that executes, calls the kernel at random, and is looked at
 * at random.
 */
#include "common/compat.h"
#include "sampler/kernel-looks.h"
#include "common/chance.h"
#include "common/margin.h"
#include "sampler/perf.h"
#include "sampler/step-clock.h"
#include "sampler/tasks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define PLACES 3
#define RUNS 200
#define MS 1000000.0
#define PERIOD 1000000
#define LAST (3000 * MS)
/* The stack of a look that met the program itself. */
#define OF_PROGRAM 99

struct run {
	struct step_clock clock;
	struct kernel_looks looks;
	struct step_task base;
	struct task task;
	enum privilege privilege;
	uint64_t period; /* of a sample that is kept */
	double now, fires, look; /* times of the next tick of the event, and of the next look */
	int64_t missing;
	double truth[PLACES], placed[PLACES];
};

/* Returns a random number, at least 0 and below 1. */
static double draw(void)
{
	static uint64_t state = 88172645463325252;

	return chance_part(chance_next(&state));
}

/* Rounds: each tick has one by chance, as in kernel_looks_round. */
static double draw_gap(void)
{
	double gap = 0;

	do
		gap += (3 + 6 * draw()) * MS;
	while (draw() < 0.5);
	return gap;
}

static void begin(struct run *run, uint64_t period)
{
	memset(run, 0, sizeof(*run));
	run->privilege = PRIVILEGE_USER;
	run->period = period;
	kernel_looks_init(&run->looks, &(struct kernel_looks_parts){ .clock = &run->clock, .privilege = &run->privilege });
	for (int i = 0; i < WAIT_GAPS; i++)
		wait_gaps_add(&run->looks.gaps, (uint64_t)(12 * MS));
	run->base.tid = 7;
	run->task.base = &run->base;
	run->task.state = TASK_PREEMPTED;
	run->fires = PERIOD;
	run->look = draw_gap();
}

/* A round looks at the task: it is at a place of the kernel, or in the program. */
static void look(struct run *run, uint32_t stack)
{
	struct task_kernel *own = &run->task.kernel;

	if (stack != OF_PROGRAM && own->place_count < KERNEL_PLACES) {
		own->seen_at = (uint64_t)run->look;
		own->places[own->place_count++] = (struct kernel_place){ .time = (uint64_t)run->look, .stack = stack };
	}
	run->look += draw_gap();
}

/* Counts missing samples where they are placed. */
static void place(struct run *run, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		const struct kernel_place *at =
			kernel_looks_place(&run->task, (uint64_t)run->now, (uint64_t)i, (uint64_t)count);

		assert_non_null(at);
		run->placed[at->stack - 1] += (double)run->period;
		run->missing -= (int64_t)run->period;
	}
}

/* The event makes a sample: the task is in the program. */
static void sample(struct run *run)
{
	const struct observation seen = { .time = (uint64_t)run->now, .sample = { .period = PERIOD } };
	uint64_t used = (uint64_t)run->now - run->task.kernel.used;
	int64_t count;

	run->task.cpu = (uint64_t)run->now;
	if (used > PERIOD)
		run->missing += (int64_t)(used - PERIOD);
	count = kernel_looks_close(&run->looks, &run->task, (uint64_t)run->now, run->missing, run->period);
	if (count > 0)
		place(run, count);
	kernel_looks_sampled(&run->clock, &run->task, &seen);
}

/* The task executes for length ns at a place of the kernel, or in the program. */
static void execute(struct run *run, double length, uint32_t stack)
{
	double end = run->now + length;

	for (;;) {
		double next = run->look < run->fires ? run->look : run->fires;

		if (next > end)
			break;
		run->now = next;
		if (run->look <= run->fires) {
			look(run, stack);
			continue;
		}
		run->fires += PERIOD;
		if (stack == OF_PROGRAM)
			sample(run);
	}
	run->now = end;
	if (stack != OF_PROGRAM)
		run->truth[stack - 1] += length;
}

static double draw_length(double mean)
{
	return -mean * log(1 - draw()) * MS;
}

/* Ends a run: what is still held is placed as looks saw it lately. */
static void end(struct run *run)
{
	place(run, run->missing / (int64_t)run->period);
}

/* A run of calls of these mean lengths, ms, as long in the program between them. */
static void run_calls(struct run *run, uint64_t period, const double means[PLACES])
{
	begin(run, period);
	while (run->now < LAST) {
		unsigned which = (unsigned)(draw() * PLACES);

		execute(run, draw_length(means[which]), which + 1);
		execute(run, draw_length(2), OF_PROGRAM);
	}
	end(run);
}

/* Checks that places get their part: without bias, and within the margin as often as it says. */
static void check_calls(uint64_t period, double first, double second, double third)
{
	const double means[PLACES] = { first, second, third };
	double bias[PLACES] = { 0 }, truth[PLACES] = { 0 };
	unsigned held = 0;

	for (unsigned i = 0; i < RUNS; i++) {
		struct run run;
		struct margin_basis basis = { 0 };

		run_calls(&run, period, means);
		basis.all = basis.observed = run.now / (double)period;
		basis.variance = run.looks.squares / (double)period / (double)period;
		for (int j = 0; j < PLACES; j++)
			basis.placed += run.placed[j] / (double)period;
		for (int j = 0; j < PLACES; j++) {
			double error = (run.placed[j] - run.truth[j]) / run.now;
			double placed = run.placed[j] / (double)period;

			bias[j] += error / RUNS;
			truth[j] += run.truth[j] / run.now / RUNS;
			held += fabs(error) <= margin_of_row(&basis, placed, placed);
		}
	}
	for (int j = 0; j < PLACES; j++) {
		print_message("# %.1f ms: true %.3f, bias %.4f\n", means[j], truth[j], bias[j]);
		assert_true(fabs(bias[j]) < 0.012 + truth[j] / 20);
	}
	print_message("# %u of %u within their margins\n", held, RUNS * PLACES);
	assert_true(held >= 0.93 * RUNS * PLACES);
}

static void long_and_short_calls(void **state UNUSED)
{
	check_calls(PERIOD, 20, 5, 1);
}

static void calls_of_one_length(void **state UNUSED)
{
	check_calls(PERIOD, 2, 2, 2);
}

static void brief_calls(void **state UNUSED)
{
	check_calls(PERIOD, 0.5, 1, 2);
}

static void with_few_samples(void **state UNUSED)
{
	check_calls(20 * PERIOD, 20, 5, 1);
}

/* All that is held is placed; nothing beyond it. */
static void as_much_as_is_missing(void **state UNUSED)
{
	const double means[PLACES] = { 10, 3, 1 };

	for (unsigned i = 0; i < 20; i++) {
		struct run run;
		double placed, truth;

		run_calls(&run, PERIOD, means);
		assert_in_range(run.missing, 0, PERIOD - 1);
		placed = run.placed[0] + run.placed[1] + run.placed[2];
		truth = run.truth[0] + run.truth[1] + run.truth[2];
		/* Ticks tell the time in the program to a period for each call. */
		/* And a call in progress at the end is not known to be one. */
		assert_true(placed - truth < truth / 50 + 20 * MS && truth - placed < 300 * MS);
	}
}

/* Looks say nothing of tasks that they did not meet, or of other levels of privilege. */
static void what_looks_do_not_know(void **state UNUSED)
{
	struct run run;

	begin(&run, PERIOD);
	assert_int_equal(kernel_looks_close(&run.looks, &run.task, 1000, 5 * PERIOD, PERIOD), -1);
	assert_null(kernel_looks_place(&run.task, 1000, 0, 1));
	run.look = 8 * MS;
	run.now = 10 * MS;
	look(&run, 1);
	run.task.cpu = 20 * PERIOD;
	assert_true(kernel_looks_close(&run.looks, &run.task, 20 * PERIOD, 90 * PERIOD, PERIOD) > 0);
	run.privilege = PRIVILEGE_FULL;
	assert_int_equal(kernel_looks_close(&run.looks, &run.task, 20 * PERIOD, 19 * PERIOD, PERIOD), -1);
	run.privilege = PRIVILEGE_USER;
	kernel_looks_forget(&run.task);
	assert_int_equal(kernel_looks_close(&run.looks, &run.task, 20 * PERIOD, 19 * PERIOD, PERIOD), -1);
}

/* What is held when looks have found nothing for long is placed by what they found; nothing after that. */
static void what_was_found_long_ago(void **state UNUSED)
{
	const uint64_t later = UINT64_C(10000000000);
	const struct observation seen = { .time = later, .sample = { .period = PERIOD } };
	struct run run;
	double first;

	begin(&run, PERIOD);
	first = run.look = 8 * MS;
	run.now = 10 * MS;
	look(&run, 2);
	sample(&run);
	assert_int_equal(kernel_looks_place(&run.task, later, 0, 1)->stack, 2);
	assert_int_equal(kernel_looks_place(&run.task, later, 0, 1)->time, (uint64_t)first);
	run.task.cpu += PERIOD;
	assert_int_equal(kernel_looks_close(&run.looks, &run.task, later, 19 * PERIOD, PERIOD), 19);
	assert_int_equal(kernel_looks_place(&run.task, later, 18, 19)->stack, 2);
	kernel_looks_sampled(&run.clock, &run.task, &seen);
	assert_int_equal(kernel_looks_close(&run.looks, &run.task, later + 1, 19 * PERIOD, PERIOD), -1);
	assert_null(kernel_looks_place(&run.task, later + 1, 0, 1));
}

/* So it is when looks find something again: what was held before is not placed by them. */
static void what_was_held_before_a_pause(void **state UNUSED)
{
	struct run run;

	begin(&run, PERIOD);
	run.look = 8 * MS;
	run.now = 10 * MS;
	look(&run, 2);
	sample(&run);
	run.look = run.now = 2000 * MS;
	run.task.kernel.renewed = true;
	look(&run, 3);
	run.task.cpu += 2 * PERIOD;
	assert_int_equal(kernel_looks_close(&run.looks, &run.task, (uint64_t)run.now, 19 * PERIOD, PERIOD), 19);
	assert_int_equal(kernel_looks_place(&run.task, (uint64_t)run.now, 0, 19)->stack, 2);
	kernel_looks_sampled(&run.clock, &run.task, &(struct observation){ .time = (uint64_t)run.now, .sample = { .period = PERIOD } });
	assert_int_equal(kernel_looks_place(&run.task, (uint64_t)run.now, 0, 19)->stack, 3);
	assert_true(kernel_looks_close(&run.looks, &run.task, (uint64_t)run.now + 1, 0, PERIOD) == 0);
}

/* A look that met a page fault shows its place, not that of the last call; one without a page fault shows the call. */
static void where_pages_are_given(void **state UNUSED)
{
	const struct page_look pages = { .stack = 3, .count = 100, .window = 100000, .first = 500, .address = 1 << 20 };
	struct run run;

	begin(&run, PERIOD);
	run.look = 8 * MS;
	run.now = 60 * MS;
	look(&run, 1);
	run.look = 9 * MS;
	look(&run, 2);
	run.task.kernel.places[0].pages = pages;
	sample(&run);
	assert_true(run.placed[0] == 0 && run.placed[1] > 0 && run.placed[2] > 0);
	/* Also at the end of a task, where no sample ends the gap. */
	run.look = 68 * MS;
	run.now = 70 * MS;
	look(&run, 1);
	run.task.kernel.places[0].pages = pages;
	kernel_looks_settled(&run.looks, &run.task, (uint64_t)run.now, 4, PERIOD);
	assert_int_equal(kernel_looks_place(&run.task, (uint64_t)run.now, 2, 4)->stack, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_and_short_calls), cmocka_unit_test(calls_of_one_length),
		cmocka_unit_test(brief_calls),		cmocka_unit_test(with_few_samples),
		cmocka_unit_test(as_much_as_is_missing), cmocka_unit_test(what_looks_do_not_know),
		cmocka_unit_test(what_was_found_long_ago),
		cmocka_unit_test(what_was_held_before_a_pause),
		cmocka_unit_test(where_pages_are_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
