/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How sure sums of waits are, whichever waits they are of.
 *
 * How long a task's waits that nobody looked at lasted together is known, and
 * so is for how long it was ready: only which place had how much of it is an
 * estimate (sampler/wait-likes.h, wait-delay.h). What is too much at one place
 * is too little at the others, so the variance of several places together is
 * less than the sum of theirs, and that of some is that of all others.
 *
 * Of each task, laid is what all laid waits lasted, q the part of it in the
 * row, s the row's sum of spread, S that of all. As for one place, the variance is
 * (1 - q)^2 s + q^2 (S - s), and at least that of a share q of laid^2 / S looks
 * (common/margin): so a row that has all that was met is as sure as one that has nothing, which
 * those looks did not meet either. Snapshots are taken together: where one had few
 * looks, the sum of what each says of itself leaves out those in which none met the row, and
 * holds the truth in two of three cases only. Of places that had a time of their own each that
 * is more than it need be.
 *
 * A row without a laid part may lack waits, too: some that nobody looked at were laid at other
 * places. How many there can be follows from how many are known there, and from how much was laid
 * beside what the kernel told; they last as long as these; and they come to no more than the part
 * of all laid ones that so many looks may have failed to meet. So a row of few waits has a margin
 * of few waits, and none where next to nothing was laid.
 *
 * The time a task was ready has no places that nobody met: a row's variance
 * is the sum over its places or over all others, whichever is less. It was taken from waits
 * and is given as DISPATCH DELAY: each adds up by itself.
 */
#ifndef VIGIL_PROFILE_WAIT_VARIANCE_H
#define VIGIL_PROFILE_WAIT_VARIANCE_H

#include "profile/profile.h"

/* Find the variance of the time waited of so many rows, square microseconds. rows: the row of each
   wait of the profile, SIZE_MAX where it is in none. */
void wait_variances(const struct profile *profile, const size_t *rows, size_t count,
		    uint64_t *variances);
/* The same where a wait in a row is in the row's parent, too, and so on. parents: of each row a
   lower one, SIZE_MAX where there is none. */
void wait_variances_of_tree(const struct profile *profile, const size_t *rows,
			    const size_t *parents, size_t count, uint64_t *variances);

#endif
