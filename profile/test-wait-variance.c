/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the variance of sums of waits: rows of places, some of whose waits are drawn at random. */
#include "common/compat.h"
#include "profile/wait-variance.h"
#include "common/chance.h"
#include "common/margin.h"
#include "common/xalloc.h"
#include "records/record-types.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define PLACES 12
#define RUNS 4000
#define WHOLE 1e9 /* total ns of a task's unseen waits in one snapshot */

/* Returns a random number in [0, 1). */
static double draw(void)
{
	static uint64_t state = 88172645463325252;

	return chance_part(chance_next(&state));
}

/* A session and its true values. */
struct drawn {
	struct profile profile;
	double weights[PLACES]; /* fraction of a task's waiting at each place */
	double truth[PLACES];	/* over all tasks, ns */
};

static void begin(struct drawn *drawn, size_t tasks)
{
	*drawn = (struct drawn){ .profile.wait_count = tasks * PLACES };
	drawn->profile.waits = xcalloc(tasks * PLACES, sizeof(*drawn->profile.waits));
	/*
	 * Different ones in each run: how often the margin of a share holds varies with
	 * the share.
	 */
	for (size_t i = 0; i < PLACES; i++)
		drawn->weights[i] = (double)(i + 1) * (0.3 + draw());
	for (size_t i = 0; i < tasks * PLACES; i++) {
		drawn->profile.waits[i].task = i / PLACES + 1;
		drawn->profile.waits[i].reason = WAIT_SLEEP;
	}
}

/*
 * Adds the result of this many looks at one snapshot of a task, ns, at the places
 * from first to last.
 */
static void look(struct drawn *drawn, size_t task, double whole, unsigned looks, size_t first,
		 size_t last)
{
	struct profile_wait *waits = &drawn->profile.waits[task * PLACES];
	double sum = 0, seen_waits[PLACES] = { 0 };

	for (size_t i = first; i < last; i++)
		sum += drawn->weights[i];
	for (size_t i = first; i < last; i++)
		drawn->truth[i] += whole * drawn->weights[i] / sum;
	for (unsigned n = 0; n < looks; n++) {
		double at = draw() * sum;
		size_t i = first;

		while (i + 1 < last && (at -= drawn->weights[i]) >= 0)
			i++;
		seen_waits[i]++;
	}
	for (size_t i = first; i < last; i++) {
		double share = seen_waits[i] / looks;
		double deviation = whole / 1000 * margin_of_share(share, looks) / MARGIN_DEVIATIONS;

		if (seen_waits[i] == 0)
			continue;
		waits[i].count++;
		waits[i].total += (uint64_t)(whole * share);
		waits[i].laid += (uint64_t)(whole * share);
		waits[i].spread += (uint64_t)(whole / 1000 * (whole / 1000) * share / looks);
		waits[i].variance += (uint64_t)(deviation * deviation);
	}
}

/*
 * Adds the result of looks every 10 ms at this many waits of a task, whose length
 * differs by place.
 */
static void look_at_lengths(struct drawn *drawn, unsigned count)
{
	struct profile_wait *waits = drawn->profile.waits;
	double totals[PLACES] = { 0 }, variances[PLACES] = { 0 };
	double missed = 0, total = 0, variance = 0, scale;

	for (unsigned n = 0; n < count; n++) {
		size_t i = (size_t)(draw() * PLACES);
		double length = 0.5 + 0.7 * (double)i, seen_waits = length / 10, weight = (1 - seen_waits) / seen_waits;

		if (draw() >= seen_waits) {
			drawn->truth[i] += length * 1e6;
			missed += length;
			continue;
		}
		totals[i] += length * weight;
		variances[i] += length * length * weight / seen_waits;
	}
	for (size_t i = 0; i < PLACES; i++) {
		total += totals[i];
		variance += variances[i];
	}
	scale = missed / total;
	for (size_t i = 0; i < PLACES; i++) {
		double share = totals[i] / total, rest = 1 - share;
		double least = missed * margin_of_share(share, total * total / variance) /
			       MARGIN_DEVIATIONS;
		double found =
			scale * scale *
			(rest * rest * variances[i] + share * share * (variance - variances[i]));

		if (totals[i] <= 0)
			continue;
		waits[i].total = waits[i].laid = (uint64_t)(missed * share * 1e6);
		waits[i].spread = (uint64_t)(scale * scale * variances[i] * 1e6);
		waits[i].variance =
			(uint64_t)((found > least * least ? found : least * least) * 1e6);
	}
}

/* Returns the computed variance of the places from first to last. */
static double variance_of(const struct drawn *drawn, size_t first, size_t last)
{
	size_t *rows = xcalloc(drawn->profile.wait_count, sizeof(*rows));
	uint64_t variance;

	for (size_t i = 0; i < drawn->profile.wait_count; i++)
		rows[i] = i % PLACES >= first && i % PLACES < last ? 0 : SIZE_MAX;
	wait_variances(&drawn->profile, rows, 1, &variance);
	free(rows);
	return (double)variance * 1e6;
}

/* Returns the error of the places from first to last. */
static double error_of(const struct drawn *drawn, size_t first, size_t last)
{
	double error = 0;

	for (size_t i = 0; i < drawn->profile.wait_count; i++)
		if (i % PLACES >= first && i % PLACES < last)
			error += (double)drawn->profile.waits[i].total;
	for (size_t i = first; i < last; i++)
		error -= drawn->truth[i];
	return error;
}

/*
 * Results of many runs (snapshots 0: those with waits of several lengths): how
 * often a row's margin holds, its actual variance, and the computed one.
 */
struct outcome {
	double held, real, said;
};

static struct outcome outcome_of(size_t tasks, unsigned snapshots, unsigned looks, size_t first,
				 size_t last)
{
	struct outcome outcome = { 0 };

	for (unsigned run = 0; run < RUNS; run++) {
		struct drawn drawn;
		double error, variance;

		begin(&drawn, tasks);
		if (!snapshots)
			look_at_lengths(&drawn, looks);
		for (size_t task = 0; task < tasks; task++)
			for (unsigned i = 0; i < snapshots; i++)
				look(&drawn, task, WHOLE * (0.5 + draw()), looks, 0, PLACES);
		error = error_of(&drawn, first, last);
		variance = variance_of(&drawn, first, last);
		outcome.held += fabs(error) <= MARGIN_DEVIATIONS * sqrt(variance);
		outcome.real += error * error / RUNS;
		outcome.said += variance / RUNS;
		free(drawn.profile.waits);
	}
	outcome.held /= RUNS;
	return outcome;
}

/* Asserts that a margin holds, and is at most half as wide again as necessary. */
static void assert_fits(size_t tasks, unsigned snapshots, unsigned looks, size_t first, size_t last)
{
	struct outcome outcome = outcome_of(tasks, snapshots, looks, first, last);

	assert_true(outcome.held >= 0.95);
	assert_true(outcome.said < 1.5 * 1.5 * outcome.real);
}

static void rows_of_many_places_hold_and_are_no_wider_than_needed(void **state UNUSED)
{
	assert_fits(1, 1, 40, 0, 6);
	assert_fits(1, 1, 40, 0, 11);
	assert_fits(1, 1, 200, 0, 6);
	assert_fits(1, 1, 200, 2, 10);
	assert_fits(1, 1, 200, 11, 12);
}

static void rows_over_snapshots_and_tasks_hold_and_are_no_wider_than_needed(void **state UNUSED)
{
	assert_fits(1, 10, 5, 0, 6);
	assert_fits(1, 10, 5, 0, 11);
	/* One look in each: by itself it contains nothing about what it did not see. */
	assert_fits(1, 50, 1, 0, 6);
	assert_fits(1, 50, 1, 11, 12);
	assert_fits(4, 3, 20, 2, 10);
}

static void rows_of_waits_of_several_lengths_hold_and_are_no_wider_than_needed(void **state UNUSED)
{
	assert_fits(1, 0, 300, 0, 6);
	assert_fits(1, 0, 300, 3, 9);
	assert_fits(1, 0, 1000, 0, 11);
}

/* An excess in one row is a deficit in the other. */
static void a_row_and_all_others_are_as_sure(void **state UNUSED)
{
	struct drawn drawn;

	begin(&drawn, 2);
	look(&drawn, 0, WHOLE, 500, 0, PLACES);
	look(&drawn, 1, WHOLE, 300, 0, PLACES);
	/* From here on each task's looks certainly saw one of the places. */
	for (size_t i = 3; i < PLACES; i++) {
		double one = variance_of(&drawn, 0, i), other = variance_of(&drawn, i, PLACES);

		assert_true(one > 0);
		assert_true(fabs(one - other) <= one / 1000);
	}
	free(drawn.profile.waits);
}

/* That looks saw nothing else does not prove that there is nothing else. */
static void a_row_with_all_that_was_met_keeps_what_was_not(void **state UNUSED)
{
	const double allowance = WHOLE * margin_of_share(0, 5) / MARGIN_DEVIATIONS;
	struct drawn drawn;
	double deviation;

	begin(&drawn, 1);
	look(&drawn, 0, WHOLE, 5, 3, 4);
	deviation = sqrt(variance_of(&drawn, 0, PLACES));
	assert_true(fabs(deviation - allowance) < allowance / 1000);
	free(drawn.profile.waits);
	begin(&drawn, 1);
	look(&drawn, 0, WHOLE, 5, 0, PLACES);
	deviation = sqrt(variance_of(&drawn, 0, PLACES));
	assert_true(fabs(deviation - allowance) < allowance / 1000);
	free(drawn.profile.waits);
}

/* The ready time is known as a sum: of what it was taken from, and of how it is reported. */
static void time_ready_is_exact_as_a_sum(void **state UNUSED)
{
	struct profile_wait waits[] = {
		{ .task = 1, .reason = WAIT_SLEEP, .variance = 9, .delay_variance = 9 },
		{ .task = 1, .reason = WAIT_PIPE, .variance = 4, .delay_variance = 4 },
		{ .task = 1, .reason = WAIT_PIPE, .variance = 5, .delay_variance = 5 },
		{ .task = 1, .reason = WAIT_DISPATCH, .variance = 9, .delay_variance = 9 },
		{ .task = 1, .reason = WAIT_DISPATCH, .variance = 7, .delay_variance = 7 },
		{ .task = 2, .reason = WAIT_SLEEP, .variance = 6, .delay_variance = 6 },
		{ .task = 2, .reason = WAIT_PIPE, .variance = 6, .delay_variance = 6 },
	};
	struct profile profile = { .waits = waits, .wait_count = ARRAY_SIZE(waits) };
	/*
	 * All delays; all waits of the first task; its pipes; a sleep of each; and one in
	 * no row.
	 */
	const size_t rows[] = { 1, 1, 1, 0, 0, SIZE_MAX, SIZE_MAX };
	const size_t others[] = { 1, 0, 2, SIZE_MAX, SIZE_MAX, 1, 2 };
	uint64_t variances[3];

	wait_variances(&profile, others, 3, variances);
	assert_int_equal(variances[0], 4);
	/* Time laid elsewhere makes a row without laid time no less certain. */
	waits[0].variance += 1000;
	waits[0].laid = 2000000;
	waits[0].spread = 1000;
	wait_variances(&profile, others, 3, variances);
	assert_int_equal(variances[0], 4);
	waits[0].variance = 9;
	waits[0].laid = waits[0].spread = 0;
	wait_variances(&profile, rows, 2, variances);
	assert_int_equal(variances[0], 0);
	assert_int_equal(variances[1], 0);
	wait_variances(&profile, others, 3, variances);
	assert_int_equal(variances[0], 4);
	assert_int_equal(variances[1], 9 + 6);
	assert_int_equal(variances[2], 5 + 6);
}

#define GAP 16.0 /* ms between two looks */

/* Draws a number of waits with this expected value. */
static unsigned draw_count(double expected)
{
	double chance = exp(-expected), sum = chance, point = draw();
	unsigned count = 0;

	while (point > sum && count < 10000) {
		count++;
		chance *= expected / count;
		sum += chance;
	}
	return count;
}

/* What looks saw of a place's waits during the time with looks. */
struct seen_waits {
	double total, variance, missed;
};

/* Simulates this many waits at a place, of length ms each, some of which looks see. */
static void look_at_place(struct drawn *drawn, size_t place, unsigned count, double length,
			  struct seen_waits *seen_waits)
{
	struct profile_wait *wait = &drawn->profile.waits[place];
	double chance = length < GAP ? length / GAP : 1, weight = (1 - chance) / chance;

	for (unsigned n = 0; n < count; n++) {
		drawn->truth[place] += length * 1e6;
		if (draw() >= chance) {
			seen_waits->missed += length;
			continue;
		}
		wait->count++;
		wait->total += (uint64_t)(length * 1e6);
		seen_waits->total += length * weight;
		seen_waits->variance += length * length * weight / chance;
	}
}

/*
 * Lays the unseen waits as wait-estimates.c does; returns false if no seen wait
 * resembles them, so they get a row of their own.
 */
static bool lay(struct drawn *drawn, const struct seen_waits *seen_waits)
{
	double missed = 0, total = 0, variance = 0, scale;

	for (size_t i = 0; i < PLACES; i++) {
		missed += seen_waits[i].missed;
		total += seen_waits[i].total;
		variance += seen_waits[i].variance;
	}
	if (total <= 0)
		return false;
	scale = missed / total;
	for (size_t i = 0; i < PLACES; i++) {
		struct profile_wait *wait = &drawn->profile.waits[i];
		double share = seen_waits[i].total / total;

		wait->laid = (uint64_t)(missed * share * 1e6);
		wait->total += wait->laid;
		wait->spread = (uint64_t)(scale * scale * seen_waits[i].variance * 1e6);
		wait->variance = wait->spread;
	}
	return true;
}

/*
 * Simulates a session with told ms in which the kernel reports places, and looked
 * ms in which tasks are looked at; places are used from rarely to often, and wait
 * from half a millisecond to 60 ms.
 */
static bool report_and_look(struct drawn *drawn, double reported, double looked)
{
	struct seen_waits seen_waits[PLACES] = { 0 };

	begin(drawn, 1);
	for (size_t i = 0; i < PLACES; i++) {
		struct profile_wait *wait = &drawn->profile.waits[i];
		double length = 0.5 * pow(120, draw()), rate = 0.3 * pow(100, draw()) / 1000;
		unsigned count = draw_count(rate * reported);

		wait->count = count;
		wait->total = (uint64_t)(count * length * 1e6);
		drawn->truth[i] = count * length * 1e6;
		look_at_place(drawn, i, draw_count(rate * looked), length, &seen_waits[i]);
	}
	return lay(drawn, seen_waits);
}

/* Rows of a size class: how many there were, and for how many the margin held. */
struct tally {
	double rows, held, margins;
};

static void judge(const struct drawn *drawn, struct tally *lacking, struct tally *small,
		  struct tally *big)
{
	double total = 0;

	for (size_t i = 0; i < PLACES; i++)
		total += (double)drawn->profile.waits[i].total;
	for (size_t i = 0; i < PLACES; i++) {
		const struct profile_wait *wait = &drawn->profile.waits[i];
		double margin = MARGIN_DEVIATIONS * sqrt(variance_of(drawn, i, i + 1));
		struct tally *tally = !wait->laid			 ? lacking
				      : (double)wait->total < total / 20 ? small
									 : big;

		/* There is no row. */
		if (!wait->count)
			continue;
		tally->rows++;
		tally->held += fabs(error_of(drawn, i, i + 1)) <= margin + 1000;
		tally->margins += margin / (double)wait->total;
	}
}

/* Rows whose waits were all seen individually, and those with few or many laid waits. */
static void rows_of_all_sizes_hold(void **state UNUSED)
{
	static const double times[][2] = {
		{ 2000, 600 }, { 1000, 1000 }, { 300, 3000 }, { 0, 3000 }
	};

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		struct tally lacking = { 0 }, small = { 0 }, big = { 0 };

		for (unsigned run = 0; run < RUNS / 4; run++) {
			struct drawn drawn;

			if (report_and_look(&drawn, times[i][0], times[i][1]))
				judge(&drawn, &lacking, &small, &big);
			free(drawn.profile.waits);
		}
		assert_true(lacking.held >= 0.95 * lacking.rows);
		assert_true(small.held >= 0.95 * small.rows);
		assert_true(big.held >= 0.95 * big.rows);
	}
}

/* The limit of what a row lacks is the length of its waits, times how many can be missing. */
static void a_row_without_looks_has_the_margin_that_it_can_have(void **state UNUSED)
{
	struct profile_wait waits[] = {
		{ .task = 1,
		  .reason = WAIT_SLEEP,
		  .count = 2000,
		  .total = 2000000000,
		  .laid = 1000000000,
		  .spread = 10000000000 },
		{ .task = 1, .reason = WAIT_PIPE, .count = 1, .total = 1000000 },
		{ .task = 2, .reason = WAIT_PIPE, .count = 1, .total = 1000000 },
	};
	struct profile profile = { .waits = waits, .wait_count = ARRAY_SIZE(waits) };
	const size_t rows[] = { SIZE_MAX, 0, 1 };
	const double most = 1e9 * margin_of_share(0, 100) + 1e6;
	uint64_t variances[2];
	double margin;

	wait_variances(&profile, rows, 2, variances);
	margin = MARGIN_DEVIATIONS * 1000 * sqrt((double)variances[0]);
	/* It was known for about as long as not: one wait may be six more, of one millisecond. */
	assert_true(margin > 2e6);
	assert_true(margin < 10e6);
	/* Another task's looks say nothing. */
	assert_int_equal(variances[1], 0);
	/* Waits as long as the laid time: there cannot be more than looks can have missed. */
	waits[1].count = 20;
	waits[1].total = UINT64_C(20000000000);
	wait_variances(&profile, rows, 2, variances);
	margin = MARGIN_DEVIATIONS * 1000 * sqrt((double)variances[0]);
	assert_true(fabs(margin - (most - 1e6 + 1e9)) < 1e6);
	/* Next to nothing was laid. */
	waits[1].count = 1;
	waits[1].total = 1000000;
	waits[0].laid = 1000000;
	waits[0].spread = 10000;
	wait_variances(&profile, rows, 2, variances);
	assert_int_equal(variances[0], 0);
}

/* Files of earlier versions have only the variance of each place. */
static void old_files_have_the_sum_over_places(void **state UNUSED)
{
	struct profile_wait waits[] = {
		{ .task = 1, .reason = WAIT_SLEEP, .variance = 9 },
		{ .task = 1, .reason = WAIT_PIPE, .variance = 4 },
		{ .task = 2, .reason = WAIT_PIPE, .variance = 5 },
	};
	struct profile profile = { .waits = waits, .wait_count = ARRAY_SIZE(waits) };
	const size_t rows[] = { 0, 1, 1 };
	uint64_t variances[2];

	wait_variances(&profile, rows, 2, variances);
	assert_int_equal(variances[0], 9);
	assert_int_equal(variances[1], 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_many_places_hold_and_are_no_wider_than_needed),
		cmocka_unit_test(rows_over_snapshots_and_tasks_hold_and_are_no_wider_than_needed),
		cmocka_unit_test(
			rows_of_waits_of_several_lengths_hold_and_are_no_wider_than_needed),
		cmocka_unit_test(a_row_and_all_others_are_as_sure),
		cmocka_unit_test(a_row_with_all_that_was_met_keeps_what_was_not),
		cmocka_unit_test(time_ready_is_exact_as_a_sum),
		cmocka_unit_test(old_files_have_the_sum_over_places),
		cmocka_unit_test(rows_of_all_sizes_hold),
		cmocka_unit_test(a_row_without_looks_has_the_margin_that_it_can_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
