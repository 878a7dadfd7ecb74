/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the waits that were looked at tell of those that nobody looked at.
 *
 * Tasks are looked at at random moments, so a wait is met with a probability p
 * that follows from its length alone (struct wait_odds). Of waits like one that
 * was met, (1 - p) / p were missed for each that was met: that much is its
 * weight. How long all missed waits lasted together is exact; it is laid out
 * by the weights. So each place gets an unbiased share, whatever the length of
 * its waits: this is the estimator of Horvitz and Thompson, brought to the
 * known sum.
 *
 * How far off a place may be: with each wait met by itself, the variance of
 * the estimate is the sum of length^2 (1 - p) / p^2 over the waits that were
 * met there; of the other places' the share's square counts, as the known sum
 * binds them. It is at least that of a share of n waits that all stand for as much (common/margin),
 * so that few looks never look certain; n is the square of the estimate by its variance, as
 * one long wait that is seldom met tells less than many short ones.
 */
#ifndef VIGIL_SAMPLER_WAIT_LIKES_H
#define VIGIL_SAMPLER_WAIT_LIKES_H

#include "sampler/wait-tally.h"

#define WAIT_GAPS 64

/* The last times from one round of looks to the next, ns. */
struct wait_gaps {
	uint64_t items[WAIT_GAPS];
	size_t count, next;
	uint64_t sum;
};

/* When tasks are looked at. gaps NULL: whatever is seen at all is met (PROC), and each wait stands for
   as much as it lasted. */
struct wait_odds {
	const struct wait_gaps *gaps; /* borrowed */
	double chance;		      /* that a task is among those looked at in a round, 0 to 1 */
	uint64_t old;		      /* from this length on a wait has another chance, ns */
	double old_chance;
};

void wait_gaps_add(struct wait_gaps *gaps, uint64_t gap);
/* The probability that a wait of so many ns is met; never 0. */
double wait_odds_met(const struct wait_odds *odds, uint64_t length);

/* What was missed of a place and a transaction, as expected from the waits that were met there. */
struct wait_like {
	struct wait_site site;
	uint64_t transaction;
	double count, total, charged, solo;
	double looks;	 /* how many were met */
	double variance; /* of total and what was met, together: ns^2 */
};

struct wait_likes {
	struct wait_like *items;
	size_t count, alloc;
};

/* A wait was met and has ended, after so many ns; wait is what it came to. */
void wait_likes_met(struct wait_likes *likes, const struct wait_site *site,
		    const struct wait_amount *wait, uint64_t length, const struct wait_odds *odds);
/* A look at a random moment found a wait of which nothing else is known: it stands for so much as wait
   says. */
void wait_likes_glimpsed(struct wait_likes *likes, const struct wait_site *site,
			 const struct wait_amount *wait);
/* Add all of others. */
void wait_likes_add(struct wait_likes *likes, const struct wait_likes *others);
/*
 * Lay missed waits out over the places of their transaction, or of all where it has none; those
 * whose transaction is sampled over all places and the transactions of these. The parts add up to
 * the whole. give is called for each place with something. Returns false, and has
 * given nothing, when there is no place.
 */
typedef void wait_likes_give(void *argument, const struct wait_site *site,
			     const struct wait_amount *part);
bool wait_likes_lay(const struct wait_likes *likes, const struct wait_amount *missed,
		    wait_likes_give *give, void *argument);
/* Forget all. */
void wait_likes_clear(struct wait_likes *likes);
void wait_likes_release(struct wait_likes *likes);

#endif
