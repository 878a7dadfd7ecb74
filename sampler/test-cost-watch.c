/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests how much a session may do, with simulated steps: the cost of switches and
 * looks is known exactly, so the sum can be compared with the requested cost.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "sampler/cost-watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define WINDOW (2 * NSEC_PER_MSEC)
#define LOOK (15 * NSEC_PER_MSEC)
#define QUARTER (250 * NSEC_PER_MSEC)

/* A step on one processor: switches per second, each of which costs more while it is observed. */
struct step {
	double rate, cost;
	double watched, unwatched; /* ns so far */
	uint64_t overhead;
	unsigned windows, opens; /* number of pauses; number of returns to full observation */
};

/*
 * Observes the step for length, then pauses for as long as requested; returns
 * whether there was a pause.
 */
static bool play(struct cost_watch *watch, struct step *step, uint64_t length)
{
	uint64_t switches = (uint64_t)(step->rate * (double)length / 1e9), pause;
	double slice = 1e9 / step->rate;

	pause = cost_watch_pause(watch, &(struct cost_window){ .length = length,
							       .used = length,
							       .switches = switches,
							       .overhead = step->overhead });
	step->watched += (double)length;
	step->unwatched += (double)pause;
	if (!pause)
		return false;
	cost_watch_slices(watch, true,
			  &(struct cost_slices){ .cpu = (double)switches * slice,
						 .slices = (double)switches });
	switches = (uint64_t)((double)pause / (slice - step->cost));
	cost_watch_slices(watch, false,
			  &(struct cost_slices){ .cpu = (double)switches * (slice - step->cost),
						 .slices = (double)switches });
	return true;
}

/* Runs this many windows. */
static void play_on(struct cost_watch *watch, struct step *step, unsigned count)
{
	bool windows = watch->events > 0;

	while (count-- > 0) {
		bool now = play(watch, step, windows ? WINDOW : LOOK);

		step->windows += now;
		step->opens += windows && !now;
		windows = now;
	}
}

/* Returns the percentage of the step's time that switches add. */
static double added(const struct step *step)
{
	return 100 * step->watched * step->rate * step->cost / 1e9 /
	       (step->watched + step->unwatched);
}

/* Clears the sums. */
static void begin_again(struct step *step)
{
	step->watched = step->unwatched = 0;
	step->windows = step->opens = 0;
}

static void few_switches_are_all_watched(void **state UNUSED)
{
	struct step step = { .rate = 5000, .cost = 2000 };
	struct cost_watch watch;

	cost_watch_init(&watch, 0);
	play_on(&watch, &step, 1000);
	assert_int_equal(step.windows, 0);
}

static void many_switches_cost_what_was_asked_for(void **state UNUSED)
{
	static const double asked[] = { 1, 3, 10 }, costs[] = { 500, 1500, 4000 };

	for (size_t i = 0; i < ARRAY_SIZE(asked); i++)
		for (size_t j = 0; j < ARRAY_SIZE(costs); j++) {
			struct step step = { .rate = 200000, .cost = costs[j] };
			struct cost_watch watch;

			cost_watch_init(&watch, asked[i]);
			play_on(&watch, &step, 200);
			/* It has learned the cost of a switch. */
			assert_true(watch.per_switch > costs[j] * 0.9);
			assert_true(watch.per_switch < costs[j] * 1.1);
			begin_again(&step);
			play_on(&watch, &step, 1000);
			assert_int_equal(step.opens, 0);
			assert_true(added(&step) < asked[i] * 1.15);
			assert_true(added(&step) > asked[i] * 0.85);
		}
}

static void it_recovers_when_switches_get_few(void **state UNUSED)
{
	struct step step = { .rate = 200000, .cost = 1500 };
	struct cost_watch watch;

	cost_watch_init(&watch, 3);
	play_on(&watch, &step, 200);
	assert_true(watch.events > 0);
	step.rate = 1000;
	begin_again(&step);
	play_on(&watch, &step, 200);
	assert_int_equal(step.opens, 1);
	begin_again(&step);
	play_on(&watch, &step, 1000);
	assert_int_equal(step.windows, 0);
	step.rate = 200000;
	play_on(&watch, &step, 1);
	assert_int_equal(step.windows, 1);
}

static void costly_windows_are_seldom(void **state UNUSED)
{
	struct step step = { .rate = 20000, .cost = 2000, .overhead = 5 * NSEC_PER_MSEC };
	struct cost_watch watch;

	cost_watch_init(&watch, 3);
	play_on(&watch, &step, 200);
	/* 5 ms each time are at most 3 percent of the step's time. */
	assert_true((double)step.windows * (double)step.overhead <
		    0.03 * (step.watched + step.unwatched));
}

static void a_burst_alone_tells_nothing_of_the_next_window(void **state UNUSED)
{
	struct step step = { .rate = 200000, .cost = 1500 };
	struct cost_watch watch;

	cost_watch_init(&watch, 3);
	assert_true(play(&watch, &step, LOOK));
	cost_watch_doubt(&watch);
	step.rate = 1000;
	assert_false(play(&watch, &step, LOOK));
	step.rate = 200000;
	assert_true(play(&watch, &step, LOOK));
	cost_watch_doubt(&watch);
	assert_true(play(&watch, &step, LOOK));
}

static void any_cost_thins_nothing(void **state UNUSED)
{
	struct step step = { .rate = 1e6, .cost = 2000 };
	struct cost_watch watch;
	struct cost_sums sums = { 0 };

	cost_watch_init(&watch, 100);
	assert_false(cost_watch_is_bounded(&watch));
	play_on(&watch, &step, 100);
	assert_int_equal(step.windows, 0);
	for (int i = 0; i < 100; i++) {
		sums.own += QUARTER;
		sums.used += QUARTER;
		assert_int_equal(cost_watch_round(&watch, &sums), COST_STAYS);
	}
}

/* A session that uses this part of the step's time, and half of it with each level. */
struct session {
	double part;  /* part of looks */
	double fixed; /* the rest */
	unsigned changes, halvings;
	double cost; /* of the last round */
	struct cost_sums sums;
};

/* Runs this many rounds. */
static void go_on(struct cost_watch *watch, struct session *session, unsigned rounds)
{
	session->changes = session->halvings = 0;
	while (rounds-- > 0) {
		session->cost = session->fixed + session->part / (double)(1u << watch->level);
		session->sums.own += (uint64_t)(session->cost * (double)QUARTER);
		session->sums.used += QUARTER;
		switch (cost_watch_round(watch, &session->sums)) {
		case COST_CHANGED:
			session->changes++;
			break;
		case COST_HALVE:
			session->halvings++;
			session->fixed /= 2;
			break;
		case COST_STAYS:
			break;
		}
	}
}

static void looks_settle_below_the_bound(void **state UNUSED)
{
	for (double part = 0.005; part < 0.2; part *= 1.3) {
		struct session session = { .part = part };
		struct cost_watch watch;

		cost_watch_init(&watch, 3);
		go_on(&watch, &session, 400);
		assert_true(session.cost <= 0.03 || watch.level == COST_LEVEL_MAX);
		/* Then it stays the same. */
		go_on(&watch, &session, 2000);
		assert_int_equal(session.changes, 0);
		assert_true(watch.level == 0 || session.cost > 0.03 * 0.4);
	}
}

static void a_step_that_costs_little_is_not_thinned(void **state UNUSED)
{
	struct session session = { .part = 0.02, .fixed = 0.005 };
	struct cost_watch watch;

	cost_watch_init(&watch, 3);
	go_on(&watch, &session, 1000);
	assert_int_equal(session.changes, 0);
	assert_int_equal(session.halvings, 0);
	assert_int_equal(watch.level_max, 0);
}

static void looks_recover(void **state UNUSED)
{
	struct session session = { .part = 0.1 };
	struct cost_watch watch;

	cost_watch_init(&watch, 3);
	go_on(&watch, &session, 100);
	assert_int_equal(watch.level, 2);
	session.part = 0.012;
	go_on(&watch, &session, 100);
	assert_int_equal(watch.level, 0);
	assert_int_equal(watch.level_max, 2);
}

static void it_never_swings(void **state UNUSED)
{
	struct session session = { .part = 0.05 };
	struct cost_watch watch;
	unsigned early = 0, late = 0;

	cost_watch_init(&watch, 3);
	/* Worst case: the cost is low whenever looks are rare, and high when they are not. */
	for (int round = 0; round < 8000; round++) {
		session.part = watch.level ? 0.004 : 0.05;
		go_on(&watch, &session, 1);
		*(round < 4000 ? &early : &late) += session.changes;
	}
	/* Each mistake doubles the time until the next. */
	assert_true(early < 40);
	assert_true(late <= early);
}

static void samples_are_halved_at_last(void **state UNUSED)
{
	struct session session = { .part = 0.01, .fixed = 0.05 };
	struct cost_watch watch;

	cost_watch_init(&watch, 3);
	go_on(&watch, &session, 200);
	assert_int_equal(watch.level_max, COST_LEVEL_MAX);
	assert_int_equal(session.halvings, 1);
	assert_true(session.cost <= 0.03);
}

/*
 * Returns the number of rounds with too high a cost until samples are halved; 0:
 * not within a hundred.
 */
static unsigned rounds_to_halving(struct cost_watch *watch, struct session *session)
{
	for (unsigned round = 1; round <= 100; round++) {
		go_on(watch, session, 1);
		if (session->halvings)
			return round;
	}
	return 0;
}

static void samples_shown_to_collectors_are_halved_soon(void **state UNUSED)
{
	struct session session = { .fixed = 0.1, .sums.asking = true };
	struct cost_watch watch;

	cost_watch_init(&watch, 3);
	assert_int_equal(rounds_to_halving(&watch, &session), 3);
	assert_int_equal(rounds_to_halving(&watch, &session), 3);
	/* Below the limit it stays. */
	assert_true(session.fixed <= 0.03);
	assert_int_equal(rounds_to_halving(&watch, &session), 0);
	/* If samples are not shown to collectors, halving them comes last. */
	session = (struct session){ .fixed = 0.1 };
	cost_watch_init(&watch, 3);
	assert_true(rounds_to_halving(&watch, &session) > 3);
	/* A single high cost at the start does not halve. */
	session = (struct session){ .fixed = 0.1, .sums.asking = true };
	cost_watch_init(&watch, 3);
	go_on(&watch, &session, 2);
	session.fixed = 0.02;
	go_on(&watch, &session, 100);
	assert_int_equal(session.halvings, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_switches_are_all_watched),
		cmocka_unit_test(many_switches_cost_what_was_asked_for),
		cmocka_unit_test(it_recovers_when_switches_get_few),
		cmocka_unit_test(costly_windows_are_seldom),
		cmocka_unit_test(a_burst_alone_tells_nothing_of_the_next_window),
		cmocka_unit_test(any_cost_thins_nothing),
		cmocka_unit_test(looks_settle_below_the_bound),
		cmocka_unit_test(a_step_that_costs_little_is_not_thinned),
		cmocka_unit_test(looks_recover),
		cmocka_unit_test(it_never_swings),
		cmocka_unit_test(samples_are_halved_at_last),
		cmocka_unit_test(samples_shown_to_collectors_are_halved_soon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
