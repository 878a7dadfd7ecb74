/* SPDX-License-Identifier: Apache-2.0 */
/* Calculates probabilities. */
#include "common/compat.h"
#include "common/probability.h"

#include <math.h>

#define MAX_DEVIATIONS 37.0
#define STEPS 300
#define PRECISION 1e-12
#define NEXT_TO_NOTHING 1e-300

double probability_normal(double deviations)
{
	return erfc(fabs(deviations) / sqrt(2));
}

/* Makes one step of Lentz's method for a continued fraction. */
static double step(double coefficient, double *upper, double *lower)
{
	*lower = 1 + coefficient * *lower;
	*upper = 1 + coefficient / *upper;
	if (fabs(*lower) < NEXT_TO_NOTHING)
		*lower = NEXT_TO_NOTHING;
	if (fabs(*upper) < NEXT_TO_NOTHING)
		*upper = NEXT_TO_NOTHING;
	*lower = 1 / *lower;
	return *upper * *lower;
}

/* Returns the continued fraction of the incomplete beta function. */
static double beta_fraction(double a, double b, double x)
{
	double upper = 1, lower = 1 - (a + b) * x / (a + 1), value;

	if (fabs(lower) < NEXT_TO_NOTHING)
		lower = NEXT_TO_NOTHING;
	lower = 1 / lower;
	value = lower;
	for (int i = 1; i <= STEPS; i++) {
		double m = i, factor;

		value *= step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), &upper, &lower);
		factor = step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), &upper,
			      &lower);
		value *= factor;
		if (fabs(factor - 1) < PRECISION)
			break;
	}
	return value;
}

/* Returns the regularized incomplete beta function. */
static double beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double probability_student(double t, double freedom)
{
	/*
	 * From here on Student's t is the normal distribution, to more digits than the
	 * variance is known.
	 */
	if (freedom > 1e6)
		return probability_normal(t);
	return beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double probability_counts(double first, double second, double part)
{
	double all = first + second, below, above;

	if (all < 1 || part <= 0 || part >= 1)
		return 1;
	/* P(X <= k) of the binomial distribution is I(1 - p; n - k, k + 1). */
	below = beta(first, second + 1, 1 - part);
	above = beta(second, first + 1, part);
	if (first < 1)
		below = 1;
	if (second < 1)
		above = 1;
	below = 2 * (below < above ? below : above);
	return below < 1 ? below : 1;
}

double probability_deviations(double probability)
{
	double low = 0, high = MAX_DEVIATIONS;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (probability_normal(middle) > probability)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}
