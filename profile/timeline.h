/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Amounts over time in bounded memory: consecutive stretches of time, each with
 * the amounts that fell into it. Neighbours are merged as the session grows, so
 * that no timeline has more than a few hundred stretches.
 */
#ifndef VIGIL_PROFILE_TIMELINE_H
#define VIGIL_PROFILE_TIMELINE_H

#include "common/compat.h"

#define TIMELINE_AMOUNTS 6

struct stretch {
	uint64_t start, end; /* ns; start <= end */
	double amount[TIMELINE_AMOUNTS];
};

struct timeline {
	struct stretch *items;
	size_t count, alloc;
};

void timeline_release(struct timeline *timeline);
/*
 * Adds a stretch; times do not go back. Stretches that together are shorter than
 * resolution are merged.
 */
void timeline_add(struct timeline *timeline, const struct stretch *stretch, uint64_t resolution);
/*
 * Spreads one amount evenly over cells that divide start..end into count equal
 * parts; adds to cells.
 */
void timeline_spread(const struct timeline *timeline, size_t amount, uint64_t start, uint64_t end,
		     double *cells, size_t count);

#endif
