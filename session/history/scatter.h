/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a value differs from those of before by more than they scatter.
 *
 * Robust: the middle is the median, the scatter the median of the distances
 * from it (MAD), made a standard deviation by 1.4826. A night that went wrong
 * moves neither. Where most values are equal, so that the MAD is 0 although the
 * others are not, it is the mean of the distances but for the largest tenth. How many deviations a difference needs depends on how many
 * values there are: few of them tell little of how they scatter, and with five
 * a deviation can come out far too small. The factors are such that of values
 * like those of before one in 500 is said to differ (SCATTER_CHANCE), if they
 * scatter normally; test-scatter.c draws such values and counts.
 */
#ifndef VIGIL_SESSION_HISTORY_SCATTER_H
#define VIGIL_SESSION_HISTORY_SCATTER_H

#include "common/compat.h"

#define SCATTER_LEAST 5 /* values of before: with fewer nothing is said */
#define SCATTER_CHANCE 0.002
#define SCATTER_DEVIATION 1.4826

struct scatter {
	size_t count;
	double median, deviation; /* robust, as above */
	double low, high;	  /* the least and the largest value */
};

/* The scatter of values, which are overwritten. */
struct scatter scatter_of(double *values, size_t count);
/* So far from the median can a value be that is like those of before; INFINITY with too few. */
double scatter_reach(const struct scatter *scatter);
/*
 * The difference of a value from the median, where it is beyond the scatter, beyond the value's own
 * margin, and beyond a floor: what nobody would call a difference. Otherwise 0.
 */
double scatter_beyond(const struct scatter *scatter, double value, double margin, double floor);

#endif
