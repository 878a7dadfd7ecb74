/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Variance of sums of waits, for any selection of waits.
 *
 * The total length of a task's waits that no look saw is known, and so is the
 * total time it was ready: only their distribution over places is an estimate
 * (sampler/wait-estimates.h, wait-delay.h). An excess at one place is a deficit at the
 * others, so the variance of several places together is less than the sum of their
 * variances, and that of some places equals that of all others.
 *
 * For each task, laid is the length of all laid waits, q the fraction of it in the
 * row, s the row's sum of spread, S that of all. As for one place, the variance is
 * (1 - q)^2 s + q^2 (S - s), and at least that of a share q of laid^2 / S looks
 * (common/margin): so a row that has everything that was seen is as certain as a
 * row that has nothing, as those looks did not see anything else either. Snapshots
 * are combined: if one had few looks, the sum of the per-snapshot variances leaves
 * out snapshots in which no look saw the row, and covers the truth in only two of
 * three cases. For places that each had a limited time of their own this is larger
 * than necessary.
 *
 * A row without a laid part may lack waits, too: some that no look saw may have
 * been laid at other places. How many is estimated from the number known there,
 * and from the ratio of laid time to time that the kernel reported; each is
 * assumed as long as the known ones; and together they are limited to the part of
 * all laid waits that this many looks may have missed. So a row of few waits has
 * the margin of few waits, and none if next to nothing was laid.
 *
 * The time a task was ready has no unseen places: a row's variance is the sum over
 * its places or over all others, whichever is less. This time was taken from waits
 * and is reported as DISPATCH DELAY: each adds up by itself.
 */
#ifndef VIGIL_PROFILE_WAIT_VARIANCE_H
#define VIGIL_PROFILE_WAIT_VARIANCE_H

#include "profile/profile.h"

/*
 * Computes the variance of the time waited for count rows, square microseconds.
 * rows: by wait of the profile, its row, SIZE_MAX: in none.
 */
void wait_variances(const struct profile *profile, const size_t *rows, size_t count,
		    uint64_t *variances);
/*
 * The same if a wait in a row is also in the row's parent, and so on. parents: for
 * each row a lower one, SIZE_MAX: none.
 */
void wait_variances_of_tree(const struct profile *profile, const size_t *rows,
			    const size_t *parents, size_t count, uint64_t *variances);

#endif
