/* SPDX-License-Identifier: Apache-2.0 */
/* Medians, their scatter, and what exceeds it. */
#include "common/compat.h"
#include "session/history/scatter.h"

#include <math.h>

/* Factor from a mean deviation to a standard deviation. */
#define MEAN_DEVIATION 1.2533

/*
 * Number of deviations that a difference needs, by the number of values; numbers
 * between two rows use the smaller one.
 */
static const struct {
	size_t count;
	double factor;
} factors[] = {
	{ 5, 32.0 },  { 6, 14.4 },  { 7, 13.8 },  { 8, 9.6 },	{ 9, 9.3 },   { 10, 7.6 },
	{ 11, 7.3 },  { 12, 6.4 },  { 14, 5.7 },  { 16, 5.3 },	{ 18, 5.0 },  { 20, 4.75 },
	{ 25, 4.4 },  { 30, 4.1 },  { 40, 3.8 },  { 60, 3.6 },	{ 100, 3.4 },
};

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns the median of values, and sorts them. */
static double median_of(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_value);
	return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/*
 * Returns the scatter of values that are mostly equal, from their sorted
 * distances, without the largest tenth.
 */
static double trimmed_mean_deviation(const double *distances, size_t count)
{
	const size_t counted = count - (count + 9) / 10;
	double sum = 0;

	for (size_t i = 0; i < counted; i++)
		sum += distances[i];
	return counted ? MEAN_DEVIATION * sum / (double)counted : 0;
}

struct scatter scatter_of(double *values, size_t count)
{
	struct scatter scatter = { .count = count };

	if (count == 0)
		return scatter;
	scatter.median = median_of(values, count);
	scatter.low = values[0];
	scatter.high = values[count - 1];
	for (size_t i = 0; i < count; i++)
		values[i] = fabs(values[i] - scatter.median);
	scatter.deviation = SCATTER_DEVIATION * median_of(values, count);
	if (scatter.deviation <= 0)
		scatter.deviation = trimmed_mean_deviation(values, count);
	return scatter;
}

double scatter_reach(const struct scatter *scatter)
{
	double factor = INFINITY;

	for (size_t i = 0; i < ARRAY_SIZE(factors) && factors[i].count <= scatter->count; i++)
		factor = factors[i].factor;
	return isinf(factor) ? factor : factor * scatter->deviation;
}

double scatter_beyond(const struct scatter *scatter, double value, double margin, double floor)
{
	const double difference = value - scatter->median, size = fabs(difference);

	if (size <= scatter_reach(scatter) || size <= margin || size <= floor)
		return 0;
	return difference;
}
