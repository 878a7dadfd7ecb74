/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the step's state over time, with constructed sequences whose sums are known exactly. */
#include "common/compat.h"
#include "sampler/step-clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum doing { IDLE, RUNS, WAITS_MAJOR, WAITS_MINOR, DELAYED };

/* One simulated task. */
struct player {
	enum doing does;
	uint64_t share, alone;	/* clocks at the start of its wait */
	uint64_t charged, solo; /* of waits that ended */
};

static enum wait_class class_of(const struct player *player)
{
	return player->does == WAITS_MINOR ? CLASS_MINOR : CLASS_MAJOR;
}

/* A player begins to do something else at a time. */
static void now_does(struct step_clock *clock, struct player *player, uint64_t time,
		     enum doing what)
{
	step_clock_advance(clock, time);
	if (player->does == RUNS)
		step_clock_end_running(clock);
	if (player->does >= WAITS_MAJOR) {
		player->charged += clock->share[class_of(player)] - player->share;
		player->solo += clock->alone[class_of(player)] - player->alone;
		step_clock_end_wait(clock, class_of(player));
		if (player->does == DELAYED)
			step_clock_end_preempted(clock);
	}
	player->does = what;
	if (what == RUNS)
		step_clock_begin_running(clock);
	if (what >= WAITS_MAJOR) {
		step_clock_begin_wait(clock, class_of(player));
		if (what == DELAYED)
			step_clock_begin_preempted(clock);
		player->share = clock->share[class_of(player)];
		player->alone = clock->alone[class_of(player)];
	}
}

static void states_divide_the_run(void **state UNUSED)
{
	struct step_clock clock;
	struct player one = { 0 }, two = { 0 };
	uint64_t exec, wait, delay;

	step_clock_init(&clock, 1000);
	step_clock_advance(&clock, 5000); /* no task yet: does not count */
	now_does(&clock, &one, 5000, RUNS);
	now_does(&clock, &two, 5100, RUNS);
	now_does(&clock, &one, 5300, WAITS_MAJOR);
	now_does(&clock, &two, 5400, WAITS_MAJOR);
	now_does(&clock, &one, 5700, RUNS);
	now_does(&clock, &one, 5750, DELAYED);
	now_does(&clock, &one, 5800, RUNS);
	now_does(&clock, &one, 5900, IDLE);
	now_does(&clock, &two, 6000, IDLE);
	step_clock_advance(&clock, 9000);
	step_clock_take(&clock, &exec, &wait, &delay);
	assert_int_equal(exec, 400 + 50 + 100);
	assert_int_equal(wait, 300 + 100);
	assert_int_equal(delay, 50);
	assert_int_equal(exec + wait + delay, 1000);
	step_clock_take(&clock, &exec, &wait, &delay);
	assert_int_equal(exec + wait + delay, 0);
}

static void waits_share_what_no_task_executed(void **state UNUSED)
{
	struct step_clock clock;
	struct player one = { 0 }, two = { 0 }, three = { 0 };

	step_clock_init(&clock, 0);
	now_does(&clock, &three, 0, RUNS);
	now_does(&clock, &one, 0, WAITS_MAJOR);
	now_does(&clock, &three, 100, IDLE);	  /* one waits alone */
	now_does(&clock, &two, 300, WAITS_MAJOR); /* both wait */
	now_does(&clock, &one, 500, IDLE);	  /* two waits alone */
	now_does(&clock, &two, 600, IDLE);
	assert_int_equal(one.charged, 200 + 100);
	assert_int_equal(one.solo, 200);
	assert_int_equal(two.charged, 100 + 100);
	assert_int_equal(two.solo, 100);
}

static void waits_for_own_tasks_count_last(void **state UNUSED)
{
	struct step_clock clock;
	struct player parent = { 0 }, child = { 0 };

	step_clock_init(&clock, 0);
	now_does(&clock, &parent, 0, WAITS_MINOR);
	now_does(&clock, &child, 0, WAITS_MAJOR);
	now_does(&clock, &child, 900, IDLE);
	now_does(&clock, &parent, 1000, IDLE);
	assert_int_equal(child.charged, 900);
	assert_int_equal(child.solo, 900);
	assert_int_equal(parent.charged, 100);
	assert_int_equal(parent.solo, 100);
}

/* Returns the next number of a generator that is the same in every run. */
static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

static void charges_add_up_to_the_nanosecond(void **state UNUSED)
{
	struct player players[7] = { 0 };
	struct step_clock clock;
	uint64_t time = 0, exec, wait, delay, charged = 0, left;
	uint32_t seed = 31;

	step_clock_init(&clock, 0);
	for (int i = 0; i < 100000; i++) {
		struct player *player = &players[next_random(&seed) % 7];

		time += next_random(&seed) % 1009;
		now_does(&clock, player, time, (enum doing)(next_random(&seed) % 5));
	}
	for (int i = 0; i < 7; i++) {
		now_does(&clock, &players[i], time, IDLE);
		charged += players[i].charged;
		assert_true(players[i].solo <= players[i].charged + 7);
	}
	step_clock_take(&clock, &exec, &wait, &delay);
	/* The undivided remainder is less than a nanosecond per task. */
	left = clock.remainder[CLASS_MAJOR] + clock.remainder[CLASS_MINOR];
	assert_true(left < 14);
	assert_int_equal(charged + left, wait + delay);
	assert_true(exec > 0 && wait > 0 && delay > 0);
}

static void a_pause_counts_for_nothing(void **state UNUSED)
{
	struct step_clock clock;
	struct player one = { 0 };
	uint64_t exec, wait, delay;

	step_clock_init(&clock, 0);
	now_does(&clock, &one, 0, WAITS_MAJOR);
	step_clock_advance(&clock, 100);
	clock.paused = true;
	step_clock_advance(&clock, 1100);
	clock.paused = false;
	now_does(&clock, &one, 1150, RUNS);
	step_clock_advance(&clock, 1200);
	step_clock_take(&clock, &exec, &wait, &delay);
	assert_int_equal(clock.active, 200);
	assert_int_equal(exec, 50);
	assert_int_equal(wait, 150);
	assert_int_equal(one.charged, 150);
}

static void time_never_runs_back(void **state UNUSED)
{
	struct step_clock clock;

	step_clock_init(&clock, 500);
	clock.running = 1;
	step_clock_advance(&clock, 600);
	for (uint64_t now = 550; now <= 600; now += 50) {
		step_clock_advance(&clock, now);
		assert_int_equal(clock.now, 600);
		assert_int_equal(clock.active, 100);
		assert_int_equal(clock.exec, 100);
	}
	step_clock_advance(&clock, 610);
	assert_int_equal(clock.active, 110);
	assert_int_equal(clock.exec, 110);
}

/* A file is waited for alone while nothing executes and no other file is waited for. */
static void one_file_is_waited_for_alone(void **state UNUSED)
{
	struct step_clock clock;

	step_clock_init(&clock, 1000);
	step_clock_begin_wait(&clock, CLASS_MAJOR);
	step_clock_advance(&clock, 1100);
	assert_int_equal(clock.file_alone, 0);
	step_clock_begin_file(&clock);
	step_clock_advance(&clock, 1300);
	assert_int_equal(clock.file_alone, 200);
	step_clock_begin_file(&clock);
	step_clock_advance(&clock, 1700);
	assert_int_equal(clock.file_alone, 200);
	step_clock_end_file(&clock);
	step_clock_advance(&clock, 2500);
	assert_int_equal(clock.file_alone, 1000);
	step_clock_begin_running(&clock);
	step_clock_advance(&clock, 4100);
	assert_int_equal(clock.file_alone, 1000);
	assert_int_equal(clock.idle, 1500);
}

/* Returns whether a step clock accepts an end of what was not counted. */
static bool takes_one_less(void (*end)(struct step_clock *clock))
{
	int status = 0;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct step_clock clock;

		/* Keeps the output of the assertion out of the list of failures. */
		signal(SIGABRT, SIG_DFL);
		close(STDERR_FILENO);
		step_clock_init(&clock, 1000);
		end(&clock);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return !(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void end_major_wait(struct step_clock *clock)
{
	step_clock_end_wait(clock, CLASS_MAJOR);
}

static void end_minor_wait(struct step_clock *clock)
{
	step_clock_begin_wait(clock, CLASS_MAJOR);
	step_clock_end_wait(clock, CLASS_MINOR);
}

static void no_count_passes_below_zero(void **state UNUSED)
{
	assert_false(takes_one_less(step_clock_end_running));
	assert_false(takes_one_less(step_clock_end_preempted));
	assert_false(takes_one_less(end_major_wait));
	assert_false(takes_one_less(end_minor_wait));
	assert_false(takes_one_less(step_clock_end_file_wait));
	assert_false(takes_one_less(step_clock_end_file));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_divide_the_run),
		cmocka_unit_test(waits_share_what_no_task_executed),
		cmocka_unit_test(waits_for_own_tasks_count_last),
		cmocka_unit_test(charges_add_up_to_the_nanosecond),
		cmocka_unit_test(a_pause_counts_for_nothing),
		cmocka_unit_test(time_never_runs_back),
		cmocka_unit_test(one_file_is_waited_for_alone),
		cmocka_unit_test(no_count_passes_below_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
