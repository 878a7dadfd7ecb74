/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the variance of sums of waits. */
#include "common/compat.h"
#include "profile/wait-variance.h"
#include "common/margin.h"
#include "common/xalloc.h"
#include "records/record-types.h"

#include <math.h>

/*
 * Confidence that places lack no more waits than this: lengths and looks are not
 * exact either. Above MORE_MANY waits an approximation is used.
 */
#define MORE_CONFIDENCE 0.99
#define MORE_DEVIATIONS 2.326
#define MORE_MANY 200
/* Only what looks saw is known. */
#define PART_MAX 1e6

/* Sums over some waits of a task; ns and square microseconds. */
struct spread {
	double laid, spread;
	double laid_variance, delay_variance; /* summed over their places */
	double count, known;		      /* number of waits, and their time that was not
					       * laid */
	double known_there, total_there,
		count_there; /* time not laid, total time and count, of places where some time
			       * was laid */
};

static void add(struct spread *sum, const struct profile_wait *wait)
{
	sum->laid += (double)wait->laid;
	sum->spread += (double)wait->spread;
	sum->laid_variance += (double)wait->variance - (double)wait->delay_variance;
	sum->delay_variance += (double)wait->delay_variance;
	sum->count += (double)wait->count;
	sum->known += wait->total > wait->laid ? (double)(wait->total - wait->laid) : 0;
	if (!wait->laid)
		return;
	sum->known_there += wait->total > wait->laid ? (double)(wait->total - wait->laid) : 0;
	sum->total_there += (double)wait->total;
	sum->count_there += (double)wait->count;
}

/* Adds the sums of other waits of the task. */
static void add_spread(struct spread *sum, const struct spread *more)
{
	sum->laid += more->laid;
	sum->spread += more->spread;
	sum->laid_variance += more->laid_variance;
	sum->delay_variance += more->delay_variance;
	sum->count += more->count;
	sum->known += more->known;
	sum->known_there += more->known_there;
	sum->total_there += more->total_there;
	sum->count_there += more->count_there;
}

static double smaller(double one, double other)
{
	return one < other ? one : other;
}

/* Returns the effective number of equal looks on which the laid time is based. */
static double looks_of(const struct spread *all)
{
	return all->laid / 1000 * (all->laid / 1000) / all->spread;
}

/*
 * Returns the laid time divided by the time known at the same places without
 * looks, from the kernel. What looks saw is part of the known time; it is
 * estimated as this many looks at waits of the mean length.
 */
static double laid_ratio(const struct spread *all)
{
	double seen_part =
		all->count_there > 0 ? looks_of(all) * all->total_there / all->count_there : 0;

	return seen_part < all->known_there ? all->laid / (all->known_there - seen_part) : PART_MAX;
}

/*
 * Returns how many additional waits a row with count waits can have in a time that
 * is part times as long: by the negative binomial distribution, as the rate is
 * known from these waits only. Limited to most.
 */
static double more_waits(double count, double part, double most)
{
	double chance = exp(-count * log1p(part)), sum = chance, more = 0;

	/*
	 * With so many that single ones do not matter: Wilson's and Hilferty's quantile of
	 * the rate.
	 */
	if (count * part > MORE_MANY)
		return smaller(
			most,
			count * part *
				pow(1 - 1 / (9 * count) + MORE_DEVIATIONS / (3 * sqrt(count)), 3));

	while (sum < MORE_CONFIDENCE && more < most) {
		chance *= (count + more) / (more + 1) * part / (1 + part);
		sum += chance;
		more++;
	}
	return more;
}

/*
 * Returns the variance of places where nothing was laid: some of their waits may
 * have been laid elsewhere.
 */
static double lacking_variance(const struct spread *part, const struct spread *all)
{
	double one, most, lacking;

	if (all->laid <= 0 || all->spread <= 0 || part->count <= 0 || part->known <= 0)
		return 0;
	one = part->known / part->count;
	/* What this many looks may have missed, plus the one wait that exceeds it. */
	most = all->laid * margin_of_share(0, looks_of(all)) + one;
	lacking = smaller(one * more_waits(part->count, laid_ratio(all), most / one + 1), most);
	lacking /= 1000 * MARGIN_DEVIATIONS;
	return lacking * lacking;
}

/* Returns the variance of the time laid at some of a task's places. */
static double laid_variance(const struct spread *part, const struct spread *all)
{
	double share, rest, variance, margin;

	/* Nothing was laid here: every wait was seen individually. */
	if (part->laid <= 0 || all->laid <= 0 || all->spread <= 0)
		return part->laid_variance + lacking_variance(part, all);
	share = part->laid / all->laid;
	rest = 1 - share;
	variance = rest * rest * part->spread + share * share * (all->spread - part->spread);
	/* Square microseconds. */
	margin = all->laid / 1000 * margin_of_share(share, looks_of(all)) / MARGIN_DEVIATIONS;
	return variance > margin * margin ? variance : margin * margin;
}

static double variance_of(const struct spread *part, const struct spread *all)
{
	return laid_variance(part, all) +
	       smaller(part->delay_variance, all->delay_variance - part->delay_variance);
}

/* Sums by key, in the order of the keys' numbers. */
struct spreads {
	struct keymap keys;
	struct spread *items;
	size_t alloc;
};

/* Returns the sums of a key, and its number in *number; valid until the next call. */
static struct spread *spread_at(struct spreads *spreads, const uint64_t *key, size_t *number)
{
	size_t before = spreads->keys.count;

	*number = keymap_put(&spreads->keys, key);
	GROW(spreads->items, *number + 1, spreads->alloc);
	if (*number == before)
		spreads->items[*number] = (struct spread){ 0 };
	return &spreads->items[*number];
}

static void release(struct spreads *spreads)
{
	keymap_release(&spreads->keys);
	free(spreads->items);
}

/* Adds a wait to its task's sums, and to its row's part of them. */
static void take(const struct profile_wait *wait, size_t row, struct spreads *all,
		 struct spreads *parts)
{
	uint64_t task[] = { wait->task, wait->reason == WAIT_DISPATCH };
	uint64_t part[2] = { row };
	size_t number;

	add(spread_at(all, task, &number), wait);
	part[1] = number;
	if (row != SIZE_MAX)
		add(spread_at(parts, part, &number), wait);
}

/* Adds the parts of rows to those of all rows above them. */
static void add_to_parents(struct spreads *parts, const size_t *parents)
{
	size_t count = parts->keys.count;
	struct spread *own = xmemdup(parts->items, count * sizeof(*own));

	for (size_t i = 0; i < count; i++) {
		uint64_t key[2] = { keymap_key(&parts->keys, i)[0],
				    keymap_key(&parts->keys, i)[1] };
		size_t number;

		while (parents[key[0]] != SIZE_MAX) {
			key[0] = parents[key[0]];
			add_spread(spread_at(parts, key, &number), &own[i]);
		}
	}
	free(own);
}

void wait_variances_of_tree(const struct profile *profile, const size_t *rows,
			    const size_t *parents, size_t count, uint64_t *variances)
{
	struct spreads all = { 0 }, parts = { 0 };
	double *sums = xcalloc(count + 1, sizeof(*sums));

	keymap_init(&all.keys, 2);
	keymap_init(&parts.keys, 2);
	for (size_t i = 0; i < profile->wait_count; i++)
		if (profile->waits[i].total || profile->waits[i].variance)
			take(&profile->waits[i], rows[i], &all, &parts);
	if (parents && parts.keys.count)
		add_to_parents(&parts, parents);
	for (size_t i = 0; i < parts.keys.count; i++) {
		const uint64_t *part = keymap_key(&parts.keys, i);

		sums[part[0]] += variance_of(&parts.items[i], &all.items[part[1]]);
	}
	for (size_t i = 0; i < count; i++)
		variances[i] = (uint64_t)(sums[i] + 0.5);
	free(sums);
	release(&parts);
	release(&all);
}

void wait_variances(const struct profile *profile, const size_t *rows, size_t count,
		    uint64_t *variances)
{
	wait_variances_of_tree(profile, rows, NULL, count, variances);
}
