/* SPDX-License-Identifier: Apache-2.0 */
/* Distributes waits that no look saw over the places of those that looks saw. */
#include "common/compat.h"
#include "sampler/wait-estimates.h"
#include "common/margin.h"
#include "common/xalloc.h"

#include <math.h>

/* Limit of the weight of a wait. */
#define WEIGHT_MAX 10000.0

void wait_gaps_add(struct wait_gaps *gaps, uint64_t gap)
{
	if (gaps->count < WAIT_GAPS)
		gaps->count++;
	gaps->sum += gap - gaps->items[gaps->next];
	gaps->items[gaps->next] = gap;
	gaps->next = (gaps->next + 1) % WAIT_GAPS;
}

/*
 * Returns the probability that a round falls into an interval of this length at a
 * random position.
 */
static double within(const struct wait_gaps *gaps, uint64_t length)
{
	uint64_t covered = 0;

	for (size_t i = 0; i < gaps->count; i++)
		covered += gaps->items[i] < length ? gaps->items[i] : length;
	return gaps->sum ? (double)covered / (double)gaps->sum : 1;
}

/*
 * Returns the same for a round that looks at the task; each round does so with
 * probability chance.
 */
static double within_by_chance(const struct wait_gaps *gaps, uint64_t length, double chance)
{
	double rounds;

	if (chance >= 1)
		return within(gaps, length);
	rounds = (double)length * (double)gaps->count / (double)gaps->sum;
	if (rounds <= 1)
		return chance * within(gaps, length);
	return 1 - pow(1 - chance, rounds);
}

/* Returns the probability, not below the one that gives the maximum weight. */
static double at_least(double probability)
{
	return probability < 1 / WEIGHT_MAX ? 1 / WEIGHT_MAX : probability;
}

double wait_odds_seen(const struct wait_odds *odds, uint64_t length)
{
	const struct wait_gaps *gaps = odds->gaps;
	uint64_t young = length < odds->old ? length : odds->old;
	double probability;

	if (!gaps || gaps->sum == 0)
		return 0.5;
	if (odds->chance >= 1 && odds->old_chance >= 1)
		return at_least(within(gaps, length));
	probability = within_by_chance(gaps, young, odds->chance);
	probability = 1 - (1 - probability) * (1 - within_by_chance(gaps, length - young, odds->old_chance));
	return at_least(probability);
}

/* Returns the entry of a place and a transaction; makes it if it is new. */
static struct wait_estimate *like_of(struct wait_estimates *likes, const struct wait_site *site,
				 uint64_t transaction)
{
	struct wait_estimate *like;

	for (size_t i = likes->count; i-- > 0;)
		if (wait_site_is_same(&likes->items[i].site, site) &&
		    likes->items[i].transaction == transaction)
			return &likes->items[i];
	GROW(likes->items, likes->count + 1, likes->alloc);
	like = &likes->items[likes->count++];
	*like = (struct wait_estimate){ .site = *site, .transaction = transaction };
	return like;
}

void wait_estimates_add_seen(struct wait_estimates *likes, const struct wait_site *site,
		    const struct wait_amount *wait, uint64_t length, const struct wait_odds *odds)
{
	struct wait_estimate *like = like_of(likes, site, wait->transaction);
	double probability = wait_odds_seen(odds, length), weight = (1 - probability) / probability;
	double total = (double)wait->total;

	like->count += (double)wait->count * weight;
	like->total += total * weight;
	like->charged += (double)wait->charged * weight;
	like->solo += (double)wait->solo * weight;
	like->looks += weight > 0;
	like->variance += total * total * weight / probability;
}

void wait_estimates_add_glimpse(struct wait_estimates *likes, const struct wait_site *site,
			 const struct wait_amount *wait)
{
	struct wait_estimate *like = like_of(likes, site, wait->transaction);
	double total = (double)wait->total;

	like->count += (double)wait->count;
	like->total += total;
	like->charged += (double)wait->charged;
	like->solo += (double)wait->solo;
	like->looks++;
	like->variance += total * total;
}

void wait_estimates_add(struct wait_estimates *likes, const struct wait_estimates *others)
{
	for (size_t i = 0; i < others->count; i++) {
		const struct wait_estimate *other = &others->items[i];
		struct wait_estimate *like = like_of(likes, &other->site, other->transaction);

		like->count += other->count;
		like->total += other->total;
		like->charged += other->charged;
		like->solo += other->solo;
		like->looks += other->looks;
		like->variance += other->variance;
	}
}

/*
 * Distribution of one quantity in proportion to weights: whole and the sum of
 * weights, and how much of both is done so far.
 */
struct distribution {
	uint64_t whole, laid;
	double sum, so_far;
	bool by_total; /* no wait seen had any of this quantity: time is the weight instead */
};

static struct distribution begin_distribution(uint64_t whole, double sum, double total)
{
	bool by_total = sum <= 0;

	return (struct distribution){ .whole = whole, .sum = by_total ? total : sum, .by_total = by_total };
}

/* Returns the part for the next weight; all parts add up to the whole. */
static uint64_t next_part(struct distribution *distribution, double weight, double total)
{
	uint64_t until, part;

	distribution->so_far += distribution->by_total ? total : weight;
	until = distribution->so_far >= distribution->sum ?
			distribution->whole :
			(uint64_t)((double)distribution->whole * (distribution->so_far / distribution->sum));
	if (until < distribution->laid)
		until = distribution->laid;
	part = until - distribution->laid;
	distribution->laid = until;
	return part;
}

/* Returns whether a place takes part. */
static bool takes_part(const struct wait_estimate *like, uint64_t transaction, bool any)
{
	return like->total > 0 && (any || like->transaction == transaction);
}

/* Returns the sums of the places that take part. */
static struct wait_estimate sum_of(const struct wait_estimates *likes, uint64_t transaction, bool any)
{
	struct wait_estimate sum = { 0 };

	for (size_t i = 0; i < likes->count; i++) {
		const struct wait_estimate *like = &likes->items[i];

		if (!takes_part(like, transaction, any))
			continue;
		sum.count += like->count;
		sum.total += like->total;
		sum.charged += like->charged;
		sum.solo += like->solo;
		sum.looks += like->looks;
		sum.variance += like->variance;
	}
	return sum;
}

/* Returns the variance of a place's part of total ns, in square microseconds. */
static uint64_t variance_of(const struct wait_estimate *like, const struct wait_estimate *sum, uint64_t total)
{
	double share = like->total / sum->total, rest = 1 - share;
	double scale = (double)total / sum->total, whole = (double)total;
	/* Number of equally weighted waits that would be as certain. */
	double looks = sum->variance > 0 ? sum->total * sum->total / sum->variance : sum->looks;
	double minimum = whole * margin_of_share(share, looks) / MARGIN_DEVIATIONS;
	double variance = scale * scale * (rest * rest * like->variance +
					   share * share * (sum->variance - like->variance));

	return (uint64_t)((variance > minimum * minimum ? variance : minimum * minimum) / 1e6);
}

/* Returns the same without the constraint of the known sum. */
static uint64_t spread_of(const struct wait_estimate *like, const struct wait_estimate *sum, uint64_t total)
{
	double scale = (double)total / sum->total;

	return (uint64_t)(scale * scale * like->variance / 1e6);
}

bool wait_estimates_distribute(const struct wait_estimates *likes, const struct wait_amount *missed,
		    wait_estimates_give *give, void *argument)
{
	bool any = missed->sampled;
	struct wait_estimate sum = sum_of(likes, missed->transaction, any);
	struct distribution count, wakeups, total, charged, solo;

	if (sum.total <= 0 && !any) {
		any = true;
		sum = sum_of(likes, missed->transaction, any);
	}
	if (sum.total <= 0)
		return false;
	count = begin_distribution(missed->count, sum.count, sum.total);
	wakeups = begin_distribution(missed->wakeups, sum.count, sum.total);
	total = begin_distribution(missed->total, sum.total, sum.total);
	charged = begin_distribution(missed->charged, sum.charged, sum.total);
	solo = begin_distribution(missed->solo, sum.solo, sum.total);
	for (size_t i = 0; i < likes->count; i++) {
		const struct wait_estimate *like = &likes->items[i];
		struct wait_amount part = {
			.transaction = missed->sampled ? like->transaction : missed->transaction,
		};

		if (!takes_part(like, missed->transaction, any))
			continue;
		part.count = next_part(&count, like->count, like->total);
		part.wakeups = next_part(&wakeups, like->count, like->total);
		part.total = next_part(&total, like->total, like->total);
		part.charged = next_part(&charged, like->charged, like->total);
		part.solo = next_part(&solo, like->solo, like->total);
		part.variance = variance_of(like, &sum, missed->total);
		part.laid = part.total;
		part.spread = spread_of(like, &sum, missed->total);
		if (!wait_amount_is_empty(&part))
			give(argument, &like->site, &part);
	}
	return true;
}

void wait_estimates_clear(struct wait_estimates *likes)
{
	likes->count = 0;
}

void wait_estimates_release(struct wait_estimates *likes)
{
	free(likes->items);
	*likes = (struct wait_estimates){ 0 };
}
