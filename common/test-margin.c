/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of margins of rows: sessions of known shares whose samples are drawn at random, in
 * which the kernel's time is known as a sum and its places are chosen by a few looks.
 */
#include "common/compat.h"
#include "common/chance.h"
#include "common/margin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define RUNS 4000
#define SAMPLES 1000
/* The program's rows, then those of the kernel. */
#define PROGRAM 3
#define ROWS 7

static const double shares[ROWS] = { 0.30, 0.15, 0.05, 0.25, 0.15, 0.08, 0.02 };

static uint64_t chance = 88172645463325252;

/* Draws one of the rows from first up to end, by their shares. */
static int draw_row(int first, int end)
{
	double all = 0, at;
	int row;

	for (int i = first; i < end; i++)
		all += shares[i];
	at = chance_part(chance_next(&chance)) * all;
	for (row = first; row < end - 1 && at >= shares[row]; row++)
		at -= shares[row];
	return row;
}

/* Draws a session: each look stands for this many samples of the kernel. */
static struct margin_basis draw_session(double weight, double counts[ROWS])
{
	struct margin_basis basis = { .all = SAMPLES, .observed = SAMPLES };
	double of_program = 0;

	memset(counts, 0, ROWS * sizeof(*counts));
	for (int i = 0; i < PROGRAM; i++)
		of_program += shares[i] * SAMPLES;
	for (double i = 0; i < of_program; i++)
		counts[draw_row(0, PROGRAM)]++;
	for (double left = SAMPLES - of_program; left > 0; left -= weight)
		counts[draw_row(PROGRAM, ROWS)] += left < weight ? left : weight;
	basis.placed = SAMPLES - of_program;
	basis.variance = basis.placed * (weight - 1);
	return basis;
}

/* Checks that margins hold as often as they say, and are not much larger than they must be. */
static void check_rows(double weight)
{
	double held[ROWS] = { 0 }, margins[ROWS] = { 0 }, squares[ROWS] = { 0 }, printed[ROWS] = { 0 };

	for (int i = 0; i < RUNS; i++) {
		double counts[ROWS];
		struct margin_basis basis = draw_session(weight, counts);

		for (int j = 0; j < ROWS; j++) {
			double error = counts[j] / SAMPLES - shares[j];
			double margin = margin_of_row(&basis, counts[j], j < PROGRAM ? 0 : counts[j]);

			/* Without a sample a row is not printed. */
			if (counts[j] <= 0)
				continue;
			printed[j]++;
			held[j] += fabs(error) <= margin;
			margins[j] += margin;
			squares[j] += error * error;
		}
	}
	for (int j = 0; j < ROWS; j++) {
		double margin = margins[j] / printed[j], deviation = sqrt(squares[j] / printed[j]);

		print_message("# %.0f samples a look, share %.2f: %.3f hold, deviation %.4f, margin %.4f\n", weight,
			      shares[j], held[j] / printed[j], deviation, margin);
		assert_true(printed[j] > 0.7 * RUNS);
		assert_true(held[j] >= 0.95 * printed[j]);
		assert_true(margin < 2.5 * MARGIN_DEVIATIONS * deviation);
	}
}

static void a_look_a_sample(void **state UNUSED)
{
	check_rows(1);
}

static void looks_of_a_few_samples(void **state UNUSED)
{
	check_rows(4);
}

static void looks_of_many_samples(void **state UNUSED)
{
	check_rows(12);
}

/* What looks choose for places says nothing of the program, nor of the sum of all places. */
static void rows_without_choice(void **state UNUSED)
{
	const struct margin_basis basis = { .all = 1000, .observed = 900, .placed = 400, .variance = 5000 };
	const struct margin_basis none = { .all = 1000, .observed = 900 };

	assert_true(margin_of_row(&basis, 300, 0) == margin_of_share(0.3, 900));
	assert_true(margin_of_row(&basis, 400, 400) == margin_of_share(0.4, 900));
	assert_true(margin_of_row(&basis, 700, 400) == margin_of_share(0.7, 900));
	assert_true(margin_of_row(&basis, 0, 0) == margin_of_share(0, 900));
	assert_true(margin_of_row(&basis, 1000, 400) == margin_of_share(1, 900));
	assert_true(margin_of_row(&none, 300, 0) == margin_of_share(0.3, 900));
	assert_true(margin_of_row(&basis, 200, 200) > margin_of_share(0.2, 900));
	/* A part of the kernel's time among more of the program's is as uncertain in samples. */
	assert_true(margin_of_row(&basis, 500, 200) > margin_of_row(&basis, 500, 100));
	assert_true(margin_of_row(&basis, 500, 200) > margin_of_row(&basis, 500, 300));
	assert_true(margin_of_row(&(struct margin_basis){ 0 }, 0, 0) == 0);
}

/* A row of which it is not known how much was placed is as uncertain as any that it can be. */
static void rows_of_unknown_parts(void **state UNUSED)
{
	const struct margin_basis basis = { .all = 1000, .observed = 900, .placed = 400, .variance = 5000 };

	for (int samples = 0; samples <= 1000; samples += 10) {
		double margin = margin_of_any_row(&basis, samples), most = 0;

		for (int placed = samples > 600 ? samples - 600 : 0; placed <= samples && placed <= 400; placed++) {
			double one = margin_of_row(&basis, samples, placed);

			most = one > most ? one : most;
		}
		assert_true(margin >= most - 1e-12 && margin <= most + 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_look_a_sample),
		cmocka_unit_test(looks_of_a_few_samples),
		cmocka_unit_test(looks_of_many_samples),
		cmocka_unit_test(rows_without_choice),
		cmocka_unit_test(rows_of_unknown_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
