/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the step's state over time, with made-up sequences whose sums are known exactly. */
#include "common/compat.h"
#include "sampler/step-clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum doing { IDLE, RUNS, WAITS_MAJOR, WAITS_MINOR, DELAYED };

/* One made-up task. */
struct player {
	enum doing does;
	uint64_t share, alone;	/* clocks at the start of its wait */
	uint64_t charged, solo; /* of the waits that ended */
};

static enum wait_class class_of(const struct player *player)
{
	return player->does == WAITS_MINOR ? CLASS_MINOR : CLASS_MAJOR;
}

/* A player begins to do something else at a time. */
static void now_does(struct timeline *timeline, struct player *player, uint64_t time,
		     enum doing what)
{
	timeline_advance(timeline, time);
	if (player->does == RUNS)
		timeline->running--;
	if (player->does >= WAITS_MAJOR) {
		player->charged += timeline->share[class_of(player)] - player->share;
		player->solo += timeline->alone[class_of(player)] - player->alone;
		timeline->waiting[class_of(player)]--;
		timeline->preempted -= player->does == DELAYED;
	}
	player->does = what;
	if (what == RUNS)
		timeline->running++;
	if (what >= WAITS_MAJOR) {
		timeline->waiting[class_of(player)]++;
		timeline->preempted += what == DELAYED;
		player->share = timeline->share[class_of(player)];
		player->alone = timeline->alone[class_of(player)];
	}
}

static void states_divide_the_run(void **state UNUSED)
{
	struct timeline timeline;
	struct player one = { 0 }, two = { 0 };
	uint64_t exec, wait, delay;

	timeline_init(&timeline, 1000);
	timeline_advance(&timeline, 5000); /* no task yet: counts for nothing */
	now_does(&timeline, &one, 5000, RUNS);
	now_does(&timeline, &two, 5100, RUNS);
	now_does(&timeline, &one, 5300, WAITS_MAJOR);
	now_does(&timeline, &two, 5400, WAITS_MAJOR);
	now_does(&timeline, &one, 5700, RUNS);
	now_does(&timeline, &one, 5750, DELAYED);
	now_does(&timeline, &one, 5800, RUNS);
	now_does(&timeline, &one, 5900, IDLE);
	now_does(&timeline, &two, 6000, IDLE);
	timeline_advance(&timeline, 9000);
	timeline_cut(&timeline, &exec, &wait, &delay);
	assert_int_equal(exec, 400 + 50 + 100);
	assert_int_equal(wait, 300 + 100);
	assert_int_equal(delay, 50);
	assert_int_equal(exec + wait + delay, 1000);
	timeline_cut(&timeline, &exec, &wait, &delay);
	assert_int_equal(exec + wait + delay, 0);
}

static void waits_share_what_no_task_executed(void **state UNUSED)
{
	struct timeline timeline;
	struct player one = { 0 }, two = { 0 }, three = { 0 };

	timeline_init(&timeline, 0);
	now_does(&timeline, &three, 0, RUNS);
	now_does(&timeline, &one, 0, WAITS_MAJOR);
	now_does(&timeline, &three, 100, IDLE);	     /* one waits alone */
	now_does(&timeline, &two, 300, WAITS_MAJOR); /* both wait */
	now_does(&timeline, &one, 500, IDLE);	     /* two waits alone */
	now_does(&timeline, &two, 600, IDLE);
	assert_int_equal(one.charged, 200 + 100);
	assert_int_equal(one.solo, 200);
	assert_int_equal(two.charged, 100 + 100);
	assert_int_equal(two.solo, 100);
}

static void waits_for_own_tasks_count_last(void **state UNUSED)
{
	struct timeline timeline;
	struct player parent = { 0 }, child = { 0 };

	timeline_init(&timeline, 0);
	now_does(&timeline, &parent, 0, WAITS_MINOR);
	now_does(&timeline, &child, 0, WAITS_MAJOR);
	now_does(&timeline, &child, 900, IDLE);
	now_does(&timeline, &parent, 1000, IDLE);
	assert_int_equal(child.charged, 900);
	assert_int_equal(child.solo, 900);
	assert_int_equal(parent.charged, 100);
	assert_int_equal(parent.solo, 100);
}

/* A generator of made-up sequences; the same in every run. */
static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

static void charges_add_up_to_the_nanosecond(void **state UNUSED)
{
	struct player players[7] = { 0 };
	struct timeline timeline;
	uint64_t time = 0, exec, wait, delay, charged = 0, left;
	uint32_t seed = 31;

	timeline_init(&timeline, 0);
	for (int i = 0; i < 100000; i++) {
		struct player *player = &players[next_random(&seed) % 7];

		time += next_random(&seed) % 1009;
		now_does(&timeline, player, time, (enum doing)(next_random(&seed) % 5));
	}
	for (int i = 0; i < 7; i++) {
		now_does(&timeline, &players[i], time, IDLE);
		charged += players[i].charged;
		assert_true(players[i].solo <= players[i].charged + 7);
	}
	timeline_cut(&timeline, &exec, &wait, &delay);
	/* What could not be divided evenly yet is less than a nanosecond a task. */
	left = timeline.remainder[CLASS_MAJOR] + timeline.remainder[CLASS_MINOR];
	assert_true(left < 14);
	assert_int_equal(charged + left, wait + delay);
	assert_true(exec > 0 && wait > 0 && delay > 0);
}

static void a_pause_counts_for_nothing(void **state UNUSED)
{
	struct timeline timeline;
	struct player one = { 0 };
	uint64_t exec, wait, delay;

	timeline_init(&timeline, 0);
	now_does(&timeline, &one, 0, WAITS_MAJOR);
	timeline_advance(&timeline, 100);
	timeline.paused = true;
	timeline_advance(&timeline, 1100);
	timeline.paused = false;
	now_does(&timeline, &one, 1150, RUNS);
	timeline_advance(&timeline, 1200);
	timeline_cut(&timeline, &exec, &wait, &delay);
	assert_int_equal(timeline.active, 200);
	assert_int_equal(exec, 50);
	assert_int_equal(wait, 150);
	assert_int_equal(one.charged, 150);
}

static void time_never_runs_back(void **state UNUSED)
{
	struct timeline timeline;

	timeline_init(&timeline, 500);
	timeline.running = 1;
	timeline_advance(&timeline, 600);
	timeline_advance(&timeline, 550);
	timeline_advance(&timeline, 610);
	assert_int_equal(timeline.active, 110);
	assert_int_equal(timeline.exec, 110);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
