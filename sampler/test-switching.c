/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the cost of switches subtracted from waits: tasks are switched by hand,
 * with the figures of the kernel and of records.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "sampler/switching.h"
#include "sampler/tasks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define US UINT64_C(1000)
#define WORK (50 * US)	  /* ns that a task executes between two waits, by records */
#define LENGTH (200 * US) /* ns of a wait */
#define SWITCH (20 * US)  /* ns until the record of its end */

/* A task, and the kernel's figures of it. */
struct watched {
	struct task task;
	struct procfs_schedule kernel;
	uint64_t waited; /* ns of its waits */
};

static struct switching switching;
static struct step_clock clock_of_step;

static int begin(void **state UNUSED)
{
	memset(&switching, 0, sizeof(switching));
	memset(&clock_of_step, 0, sizeof(clock_of_step));
	return 0;
}

/* The task waits for length, and is given a processor; the records show one ns less of that. */
static void wait_once(struct watched *watched, uint64_t length, uint64_t one)
{
	struct wait_amount part = { .total = length + one, .charged = length + one, .wakeups = 1 };

	watched->kernel.slices++;
	watched->kernel.cpu += one + WORK;
	switching_take(&switching, &watched->task, &part, false);
	watched->waited += part.total;
	watched->task.cpu += WORK;
	watched->task.switches++;
}

static void look(struct watched *watched)
{
	switching_look(&switching, &clock_of_step, &watched->task, &watched->kernel);
}

static void assert_near(uint64_t value, uint64_t expected, uint64_t margin)
{
	assert_in_range(value, expected - margin, expected + margin);
}

static void waits_are_as_long_as_the_kernel_has_it(void **state UNUSED)
{
	struct watched watched = { 0 };

	switching_begin(&watched.task);
	for (uint64_t i = 0; i < 1000; i++) {
		wait_once(&watched, LENGTH, SWITCH / 2 + i % 5 * SWITCH / 4);
		if (i % 10 == 9)
			look(&watched);
	}
	/* Including those before the cost was known. */
	assert_near(watched.waited, 1000 * LENGTH, 2 * SWITCH);
	assert_near(watched.task.cpu + watched.task.waits.switching.taken, watched.kernel.cpu,
		    2 * SWITCH);
	assert_int_equal(switching.taken, watched.task.waits.switching.taken);
}

static void what_waits_have_no_room_for_is_taken_from_the_next(void **state UNUSED)
{
	struct watched watched = { 0 };

	switching_begin(&watched.task);
	for (uint64_t i = 0; i < 20; i++)
		wait_once(&watched, LENGTH, SWITCH);
	look(&watched);
	watched.waited = 0;
	for (uint64_t i = 0; i < 100; i++)
		/* Half of them are over at once. */
		wait_once(&watched, i % 2 ? LENGTH : 0, i % 2 ? SWITCH + SWITCH / 2 : SWITCH / 2);
	assert_near(watched.waited, 50 * LENGTH - 20 * SWITCH, SWITCH);
}

static void a_task_of_which_nothing_is_known_is_like_the_others(void **state UNUSED)
{
	struct watched one = { 0 }, other = { 0 };

	switching_begin(&one.task);
	for (uint64_t i = 0; i < 20; i++)
		wait_once(&one, LENGTH, SWITCH);
	look(&one);
	wait_once(&other, LENGTH, SWITCH);
	assert_int_equal(other.waited, LENGTH);
}

/*
 * The kernel has switches without records, or the session paused, or time was
 * unobserved: nothing is learned.
 */
static void looks_that_cannot_be_compared_tell_nothing(void **state UNUSED)
{
	struct watched watched = { 0 };

	switching_begin(&watched.task);
	for (unsigned way = 0; way < 3; way++) {
		for (uint64_t i = 0; i < 20; i++)
			wait_once(&watched, LENGTH, SWITCH);
		watched.kernel.slices += way == 0;
		watched.kernel.cpu += 1000 * US;
		clock_of_step.passed_paused += way == 1;
		if (way == 2)
			switching_break(&watched.task);
		look(&watched);
		assert_true(switching.sums.switches == 0);
	}
	/* But each look is the base of the next. */
	for (uint64_t i = 0; i < 20; i++)
		wait_once(&watched, LENGTH, SWITCH);
	look(&watched);
	assert_true(switching.sums.switches == 20);
	assert_true(switching.sums.ns == 20.0 * SWITCH);
}

/* A task that ran already when it was found has kernel figures from before. */
static void a_task_that_was_there_before_begins_with_its_first_look(void **state UNUSED)
{
	struct watched watched = { .kernel = { .cpu = 5000 * US, .slices = 9 } };

	look(&watched);
	for (uint64_t i = 0; i < 20; i++)
		wait_once(&watched, LENGTH, SWITCH);
	look(&watched);
	assert_true(switching.sums.ns == 20.0 * SWITCH);
}

static void a_hypervisor_that_steals_makes_no_wait_longer(void **state UNUSED)
{
	struct watched watched = { 0 };

	switching_begin(&watched.task);
	for (uint64_t i = 0; i < 20; i++) {
		wait_once(&watched, LENGTH, SWITCH);
		watched.kernel.cpu -= 2 * SWITCH;
	}
	look(&watched);
	watched.waited = 0;
	wait_once(&watched, LENGTH, SWITCH);
	assert_int_equal(watched.waited, LENGTH + SWITCH);
}

static void what_preemptions_took_shortens_no_wait(void **state UNUSED)
{
	struct watched watched = { 0 };

	switching_begin(&watched.task);
	for (uint64_t i = 0; i < 60; i++) {
		struct wait_amount delay = { .total = LENGTH, .charged = LENGTH, .wakeups = 1 };

		watched.kernel.slices++;
		watched.kernel.cpu += SWITCH;
		watched.task.switches++;
		switching_take(&switching, &watched.task, &delay, true);
	}
	look(&watched);
	wait_once(&watched, LENGTH, SWITCH);
	assert_int_equal(watched.waited, LENGTH);
}

/* What is no longer charged to waits was executed. */
static void the_run_time_stays_the_same(void **state UNUSED)
{
	struct watched watched = { 0 };
	struct wait_amount delay = { .total = LENGTH, .charged = LENGTH / 2, .wakeups = 1 };
	uint64_t exec = 1000 * US, wait = 3000 * US, late = 5 * US;

	switching_begin(&watched.task);
	for (uint64_t i = 0; i < 20; i++)
		wait_once(&watched, LENGTH, SWITCH);
	look(&watched);
	watched.task.waits.switching.early[0] = 0;
	wait_once(&watched, LENGTH, SWITCH);
	switching_take(&switching, &watched.task, &delay, true);
	assert_int_equal(delay.charged, LENGTH / 2 - SWITCH / 2);
	switching_take_charges(&switching, &exec, &wait, &late);
	/* What the delays were too short for is subtracted from waits. */
	assert_int_equal(wait, 3000 * US - SWITCH - (SWITCH / 2 - 5 * US));
	assert_int_equal(late, 0);
	assert_int_equal(exec, 1000 * US + SWITCH + SWITCH / 2);
	switching_take_charges(&switching, &exec, &wait, &late);
	assert_int_equal(exec, 1000 * US + SWITCH + SWITCH / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(waits_are_as_long_as_the_kernel_has_it, begin),
		cmocka_unit_test_setup(what_waits_have_no_room_for_is_taken_from_the_next, begin),
		cmocka_unit_test_setup(a_task_of_which_nothing_is_known_is_like_the_others, begin),
		cmocka_unit_test_setup(looks_that_cannot_be_compared_tell_nothing, begin),
		cmocka_unit_test_setup(a_task_that_was_there_before_begins_with_its_first_look,
				       begin),
		cmocka_unit_test_setup(a_hypervisor_that_steals_makes_no_wait_longer, begin),
		cmocka_unit_test_setup(what_preemptions_took_shortens_no_wait, begin),
		cmocka_unit_test_setup(the_run_time_stays_the_same, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
