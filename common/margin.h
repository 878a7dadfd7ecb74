/* SPDX-License-Identifier: Apache-2.0 */
/* The margin of error of a share that was estimated from samples. */
#ifndef VIGIL_COMMON_MARGIN_H
#define VIGIL_COMMON_MARGIN_H

#include "common/compat.h"

/* The 97.5 % quantile of the normal distribution: 95 % of it lie within this many deviations. */
#define MARGIN_DEVIATIONS 1.96

/*
 * Returns the margin of error, at 95 % confidence, of a share (0 to 1) that was
 * estimated from this many independent samples; the worst case is a share of one
 * half. It reaches from the share to the farther end of Wilson's interval, so it
 * also holds for few samples, where the deviation estimated from the share itself
 * is too small: 0 of 100 is 0 +/- 0.037. Every margin of a share is calculated
 * here.
 */
double margin_of_share(double share, double looks);

/*
 * Returns how many independent samples would carry as much information as all
 * samples, some of which were made as copies of others. made: number of copies;
 * squares: sum of the squares of the number of copies of each original, made if no
 * original has more than one. A sample with n copies has the weight n + 1; the
 * contents of the time that the copies represent were sampled at random, too.
 */
double margin_effective_samples(double all, double made, double squares);
/*
 * Returns how many are left of independent samples, of all, if their sum at a place has
 * a variance besides: in squares of samples.
 */
double margin_less_variance(double independent, double all, double variance);

/* What the margins of a session's shares are calculated from. */
struct margin_basis {
	double all;	 /* number of samples */
	double observed; /* number of independent samples with the same information, placed or not */
	double placed;	 /* number of samples whose place was estimated from fewer looks */
	double variance; /* of the places of these beyond that of samples, in squares of samples */
};

/* Returns the variance, in squares of samples, of what looks chose for a row with so many placed samples. */
double margin_placed_variance(const struct margin_basis *basis, double placed);
/*
 * Returns the margin of error, at 95 % confidence, of the share (0 to 1) of a row with
 * this many samples, of which placed were estimated from looks. Their sum is known, so a
 * row with none of them, or with all, has the margin of its samples alone; between these
 * a row has the variance of what looks chose for it.
 */
double margin_of_row(const struct margin_basis *basis, double samples, double placed);
/* The same where it is not known how many of them were placed: for the most uncertain number that there can be. */
double margin_of_any_row(const struct margin_basis *basis, double samples);

#endif
