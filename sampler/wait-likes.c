/* SPDX-License-Identifier: Apache-2.0 */
/* Distributes waits that no look saw over the places of those that looks saw. */
#include "common/compat.h"
#include "sampler/wait-likes.h"
#include "common/margin.h"
#include "common/xalloc.h"

#include <math.h>

/* Limit of the weight of a wait. */
#define WEIGHT_MOST 10000.0

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
static double at_least(double met)
{
	return met < 1 / WEIGHT_MOST ? 1 / WEIGHT_MOST : met;
}

double wait_odds_met(const struct wait_odds *odds, uint64_t length)
{
	const struct wait_gaps *gaps = odds->gaps;
	uint64_t young = length < odds->old ? length : odds->old;
	double met;

	if (!gaps || gaps->sum == 0)
		return 0.5;
	if (odds->chance >= 1 && odds->old_chance >= 1)
		return at_least(within(gaps, length));
	met = within_by_chance(gaps, young, odds->chance);
	met = 1 - (1 - met) * (1 - within_by_chance(gaps, length - young, odds->old_chance));
	return at_least(met);
}

/* Returns the entry of a place and a transaction; makes it if it is new. */
static struct wait_like *like_of(struct wait_likes *likes, const struct wait_site *site,
				 uint64_t transaction)
{
	struct wait_like *like;

	for (size_t i = likes->count; i-- > 0;)
		if (wait_site_is_same(&likes->items[i].site, site) &&
		    likes->items[i].transaction == transaction)
			return &likes->items[i];
	GROW(likes->items, likes->count + 1, likes->alloc);
	like = &likes->items[likes->count++];
	*like = (struct wait_like){ .site = *site, .transaction = transaction };
	return like;
}

void wait_likes_met(struct wait_likes *likes, const struct wait_site *site,
		    const struct wait_amount *wait, uint64_t length, const struct wait_odds *odds)
{
	struct wait_like *like = like_of(likes, site, wait->transaction);
	double met = wait_odds_met(odds, length), weight = (1 - met) / met;
	double total = (double)wait->total;

	like->count += (double)wait->count * weight;
	like->total += total * weight;
	like->charged += (double)wait->charged * weight;
	like->solo += (double)wait->solo * weight;
	like->looks += weight > 0;
	like->variance += total * total * weight / met;
}

void wait_likes_glimpsed(struct wait_likes *likes, const struct wait_site *site,
			 const struct wait_amount *wait)
{
	struct wait_like *like = like_of(likes, site, wait->transaction);
	double total = (double)wait->total;

	like->count += (double)wait->count;
	like->total += total;
	like->charged += (double)wait->charged;
	like->solo += (double)wait->solo;
	like->looks++;
	like->variance += total * total;
}

void wait_likes_add(struct wait_likes *likes, const struct wait_likes *others)
{
	for (size_t i = 0; i < others->count; i++) {
		const struct wait_like *other = &others->items[i];
		struct wait_like *like = like_of(likes, &other->site, other->transaction);

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
struct laying {
	uint64_t whole, laid;
	double sum, so_far;
	bool by_total; /* no wait seen had any of this quantity: time is the weight instead */
};

static struct laying begin_laying(uint64_t whole, double sum, double total)
{
	bool by_total = sum <= 0;

	return (struct laying){ .whole = whole, .sum = by_total ? total : sum, .by_total = by_total };
}

/* Returns the part for the next weight; all parts add up to the whole. */
static uint64_t next_part(struct laying *laying, double weight, double total)
{
	uint64_t until, part;

	laying->so_far += laying->by_total ? total : weight;
	until = laying->so_far >= laying->sum ?
			laying->whole :
			(uint64_t)((double)laying->whole * (laying->so_far / laying->sum));
	if (until < laying->laid)
		until = laying->laid;
	part = until - laying->laid;
	laying->laid = until;
	return part;
}

/* Returns whether a place takes part. */
static bool takes_part(const struct wait_like *like, uint64_t transaction, bool any)
{
	return like->total > 0 && (any || like->transaction == transaction);
}

/* Returns the sums of the places that take part. */
static struct wait_like sum_of(const struct wait_likes *likes, uint64_t transaction, bool any)
{
	struct wait_like sum = { 0 };

	for (size_t i = 0; i < likes->count; i++) {
		const struct wait_like *like = &likes->items[i];

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
static uint64_t variance_of(const struct wait_like *like, const struct wait_like *sum, uint64_t total)
{
	double share = like->total / sum->total, rest = 1 - share;
	double scale = (double)total / sum->total, whole = (double)total;
	/* Number of equally weighted waits that would be as certain. */
	double looks = sum->variance > 0 ? sum->total * sum->total / sum->variance : sum->looks;
	double least = whole * margin_of_share(share, looks) / MARGIN_DEVIATIONS;
	double variance = scale * scale * (rest * rest * like->variance +
					   share * share * (sum->variance - like->variance));

	return (uint64_t)((variance > least * least ? variance : least * least) / 1e6);
}

/* Returns the same without the constraint of the known sum. */
static uint64_t spread_of(const struct wait_like *like, const struct wait_like *sum, uint64_t total)
{
	double scale = (double)total / sum->total;

	return (uint64_t)(scale * scale * like->variance / 1e6);
}

bool wait_likes_lay(const struct wait_likes *likes, const struct wait_amount *missed,
		    wait_likes_give *give, void *argument)
{
	bool any = missed->sampled;
	struct wait_like sum = sum_of(likes, missed->transaction, any);
	struct laying count, wakes, total, charged, solo;

	if (sum.total <= 0 && !any) {
		any = true;
		sum = sum_of(likes, missed->transaction, any);
	}
	if (sum.total <= 0)
		return false;
	count = begin_laying(missed->count, sum.count, sum.total);
	wakes = begin_laying(missed->wakes, sum.count, sum.total);
	total = begin_laying(missed->total, sum.total, sum.total);
	charged = begin_laying(missed->charged, sum.charged, sum.total);
	solo = begin_laying(missed->solo, sum.solo, sum.total);
	for (size_t i = 0; i < likes->count; i++) {
		const struct wait_like *like = &likes->items[i];
		struct wait_amount part = {
			.transaction = missed->sampled ? like->transaction : missed->transaction,
		};

		if (!takes_part(like, missed->transaction, any))
			continue;
		part.count = next_part(&count, like->count, like->total);
		part.wakes = next_part(&wakes, like->count, like->total);
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

void wait_likes_clear(struct wait_likes *likes)
{
	likes->count = 0;
}

void wait_likes_release(struct wait_likes *likes)
{
	free(likes->items);
	*likes = (struct wait_likes){ 0 };
}
