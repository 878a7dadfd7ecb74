/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests what waits that were looked at say about the others, and with what
 * certainty: runs of random waits and looks.
 */
#include "common/compat.h"
#include "sampler/wait-estimates.h"
#include "common/chance.h"
#include "common/margin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define PLACES 4
#define RUNS 400
#define MS 1000000.0
#define LAST (2000 * MS)

struct run {
	struct wait_gaps gaps;
	struct wait_odds odds;
	struct wait_estimates likes;
	uint64_t missed;
	double truth[PLACES], printed[PLACES], variance[PLACES], laid[PLACES], spread[PLACES];
	double look; /* time of the next one, ns */
};

/* Returns a random number, at least 0 and below 1. */
static double draw(void)
{
	static uint64_t state = 88172645463325252;

	return chance_part(chance_next(&state));
}

static double draw_gap(void)
{
	return (3 + 6 * draw()) * MS;
}

/* wait_estimates_give. */
static void give(void *argument, const struct wait_site *site, const struct wait_amount *part)
{
	struct run *run = argument;

	run->printed[site->stack] += (double)part->total;
	run->variance[site->stack] += (double)part->variance * 1e6;
	run->laid[site->stack] += (double)part->laid;
	run->spread[site->stack] += (double)part->spread * 1e6;
}

/* A wait of length ns begins at a time, at a place. */
static void waits(struct run *run, double begin, double length, unsigned place)
{
	const struct wait_site site = { .stack = place };
	const struct wait_amount wait = { .count = 1, .total = (uint64_t)length };
	bool seen = false;

	for (; run->look <= begin + length; run->look += draw_gap())
		seen |= run->look >= begin;
	run->truth[place] += length;
	if (!seen) {
		run->missed += (uint64_t)length;
		return;
	}
	run->printed[place] += length;
	wait_estimates_add_seen(&run->likes, &site, &wait, (uint64_t)length, &run->odds);
}

/*
 * Checks the values reported with the variance, from which it can be computed:
 * readers do so for several places.
 */
static void check_parts(const struct run *run)
{
	double laid = 0, spread = 0;

	for (int i = 0; i < PLACES; i++) {
		laid += run->laid[i];
		spread += run->spread[i];
	}
	assert_true(fabs(laid - (double)run->missed) < 1);
	for (int i = 0; i < PLACES; i++) {
		double share = run->laid[i] / laid, rest = 1 - share;
		double least = laid * margin_of_share(share, laid * laid / spread) / MARGIN_DEVIATIONS;
		double variance = rest * rest * run->spread[i] + share * share * (spread - run->spread[i]);

		variance = variance > least * least ? variance : least * least;
		/* A place that was not seen has no row. */
		assert_true(run->laid[i] <= 0 || fabs(variance - run->variance[i]) < variance / 1000);
	}
}

/*
 * Runs waits of least to most ms, as many short as long ones. Returns how many
 * places are within their margins.
 */
static unsigned held(double least, double most)
{
	struct run run = { .odds = { .gaps = &run.gaps, .chance = 1, .old_chance = 1 } };
	struct wait_amount missed = { 0 };
	unsigned count = 0;

	for (int i = 0; i < WAIT_GAPS; i++)
		wait_gaps_add(&run.gaps, (uint64_t)((3 + 6 * (i + 0.5) / WAIT_GAPS) * MS));
	for (double now = 0, length; now < LAST; now += length + 0.06 * MS) {
		length = least * pow(most / least, draw()) * MS;
		/* Places of different weights: 1, 3, 5 and 7 of 16. */
		waits(&run, now, length, (unsigned)(sqrt(draw()) * PLACES));
	}
	missed.total = missed.charged = run.missed;
	assert_true(wait_estimates_distribute(&run.likes, &missed, give, &run));
	check_parts(&run);
	for (int i = 0; i < PLACES; i++)
		count += fabs(run.printed[i] - run.truth[i]) <= 1.96 * sqrt(run.variance[i]);
	wait_estimates_release(&run.likes);
	return count;
}

static void assert_held(double least, double most)
{
	unsigned count = 0;

	for (int i = 0; i < RUNS; i++)
		count += held(least, most);
	assert_in_range(count, PLACES * RUNS * 95 / 100, PLACES * RUNS);
}

static void margins_hold_whatever_the_length(void **state UNUSED)
{
	assert_held(0.2, 0.2);
	assert_held(1, 1);
	assert_held(5, 5);
}

/* A long wait that is rarely seen tells less than many short ones. */
static void margins_hold_for_mixed_lengths(void **state UNUSED)
{
	assert_held(0.2, 50);
	assert_held(1, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(margins_hold_whatever_the_length),
		cmocka_unit_test(margins_hold_for_mixed_lengths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
