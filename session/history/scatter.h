/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides whether a value differs from earlier values by more than their scatter.
 *
 * The statistics are robust: the centre is the median, the scatter is the median
 * absolute deviation (MAD), scaled to a standard deviation by 1.4826. A single bad
 * night affects neither. If most values are equal, so that the MAD is 0 although
 * others differ, the scatter is the mean deviation without the largest tenth. How
 * many deviations a difference needs depends on the number of values: a few values
 * determine their scatter poorly, and with five the deviation may come out far too
 * small. The factors are chosen so that one in 500 values from the same
 * distribution is reported as different (SCATTER_CHANCE), if it is normal;
 * test-scatter.c verifies this with random values.
 */
#ifndef VIGIL_SESSION_HISTORY_SCATTER_H
#define VIGIL_SESSION_HISTORY_SCATTER_H

#include "common/compat.h"

#define SCATTER_VALUES_MIN 5 /* minimum number of earlier values; with fewer nothing is reported */
#define SCATTER_CHANCE 0.002
#define SCATTER_DEVIATION 1.4826

struct scatter {
	size_t count;
	double median, deviation; /* robust, as above */
	double low, high;	  /* smallest and largest value */
};

/* Returns the scatter of values, and overwrites them. */
struct scatter scatter_of(double *values, size_t count);
/*
 * Returns the maximum distance from the median of values that are like the earlier
 * ones; INFINITY if there are too few.
 */
double scatter_reach(const struct scatter *scatter);
/*
 * Returns the difference of a value from the median if it exceeds the scatter, the
 * value's margin, and a floor below which differences are irrelevant; otherwise 0.
 */
double scatter_beyond(const struct scatter *scatter, double value, double margin, double floor);

#endif
