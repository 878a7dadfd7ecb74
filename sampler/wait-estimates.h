/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates where the waits were that no look saw, from those that looks saw.
 *
 * Tasks are looked at at random moments, so a wait is seen with a probability p
 * that follows from its length alone (struct wait_odds). For each wait that was
 * seen, (1 - p) / p waits like it were missed: this is its weight. The total
 * length of all missed waits is exact; it is distributed in proportion to the
 * weights. So each place gets an unbiased share, whatever the length of its waits:
 * this is the Horvitz-Thompson estimator, scaled to the known sum.
 *
 * Uncertainty of a place: if each wait is seen independently, the variance of the
 * estimate is the sum of length^2 (1 - p) / p^2 over the waits that were seen
 * there; that of the other places counts with the square of this place's share, as
 * the known sum constrains them all. The variance is at least that of a share of n
 * waits of equal weight (common/margin), so that few looks never look certain; n
 * is the square of the estimate divided by its variance, as one long wait that is
 * rarely seen tells less than many short ones.
 */
#ifndef VIGIL_SAMPLER_WAIT_ESTIMATES_H
#define VIGIL_SAMPLER_WAIT_ESTIMATES_H

#include "sampler/wait-tally.h"

#define WAIT_GAPS 64

/* The last intervals between rounds of looks, ns. */
struct wait_gaps {
	uint64_t items[WAIT_GAPS];
	size_t count, next;
	uint64_t sum;
};

/*
 * Determines the probability that a wait is seen. gaps NULL: every wait that is
 * noticed at all is seen (PROC), and each has as much weight as it lasted.
 */
struct wait_odds {
	const struct wait_gaps *gaps; /* borrowed */
	double chance;		      /* probability that a task is among those looked at in a
				       * round, 0 to 1 */
	uint64_t old;		      /* ns: from this length on, a wait has old_chance instead */
	double old_chance;
};

void wait_gaps_add(struct wait_gaps *gaps, uint64_t gap);
/* Returns the probability that a wait of this length (ns) is seen; never 0. */
double wait_odds_seen(const struct wait_odds *odds, uint64_t length);

/* Expected amount missed at one place in one transaction, from the waits that were seen there. */
struct wait_estimate {
	struct wait_site site;
	uint64_t transaction;
	double count, total, charged, solo;
	double looks;	 /* number of waits seen */
	double variance; /* of total together with what was seen, ns^2 */
};

struct wait_estimates {
	struct wait_estimate *items;
	size_t count, alloc;
};

/* Records a wait that was seen and has ended after length ns; wait is its amount. */
void wait_estimates_add_seen(struct wait_estimates *likes, const struct wait_site *site,
		    const struct wait_amount *wait, uint64_t length, const struct wait_odds *odds);
/*
 * Records a wait that a look at a random moment found and of which nothing else is
 * known; wait is what it stands for.
 */
void wait_estimates_add_glimpse(struct wait_estimates *likes, const struct wait_site *site,
			 const struct wait_amount *wait);
/* Adds all of others to likes. */
void wait_estimates_add(struct wait_estimates *likes, const struct wait_estimates *others);
/*
 * Distributes missed waits over the places of their transaction, or over all
 * places if it has none; if the transaction is sampled, over all places and their
 * transactions. The parts add up to the whole. Calls give for each place with a
 * non-empty part. Returns false, without a call, if there is no place.
 */
typedef void wait_estimates_give(void *argument, const struct wait_site *site,
			     const struct wait_amount *part);
bool wait_estimates_distribute(const struct wait_estimates *likes, const struct wait_amount *missed,
		    wait_estimates_give *give, void *argument);
/* Removes all entries. */
void wait_estimates_clear(struct wait_estimates *likes);
void wait_estimates_release(struct wait_estimates *likes);

#endif
