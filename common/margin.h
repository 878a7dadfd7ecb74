/* SPDX-License-Identifier: Apache-2.0 */
/* How sure a share is that was found by looking at some of all. */
#ifndef VIGIL_COMMON_MARGIN_H
#define VIGIL_COMMON_MARGIN_H

#include "common/compat.h"

/* The normal distribution's 97.5 %: what lies within so many deviations is 95 %. */
#define MARGIN_DEVIATIONS 1.96

/*
 * The margin of error at 95 % confidence of a share, 0 to 1, that was found by so many looks, each
 * of which tells something of its own; the worst case is a share of a half. It reaches from the
 * share to the farther end of Wilson's interval, so it holds for few looks too, where the deviation
 * estimated from the share itself is too small: 0 of 100 is 0 +/- 0.037. Every margin of a share is
 * this one.
 */
double margin_of_share(double share, double looks);

/*
 * How many samples that each tell something of their own would tell as much as all samples, of
 * which some were made like others: made in all, squares the sum of the squares of how many were
 * made like one; made when each is like another one. A sample and n like it have the weight n + 1,
 * and what the time they were made for held was drawn, too.
 */
double margin_looks(double all, double made, double squares);

#endif
