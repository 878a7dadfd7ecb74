/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Amounts through time, in bounded memory: stretches of time in order, each
 * with the amounts that fell into it. Neighbours are joined as the session
 * grows, so that no timeline holds more than a few hundred stretches.
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
/* Add a stretch; times do not go back. Stretches shorter than resolution together are joined. */
void timeline_add(struct timeline *timeline, const struct stretch *stretch, uint64_t resolution);
/* Spread one amount evenly over cells that cut start..end into count equal parts; adds to cells. */
void timeline_spread(const struct timeline *timeline, size_t amount, uint64_t start, uint64_t end,
		     double *cells, size_t count);

#endif
