/* SPDX-License-Identifier: Apache-2.0 */
/* Amounts over time, in bounded memory. */
#include "common/compat.h"
#include "profile/timeline.h"
#include "common/xalloc.h"

/* A timeline with more stretches is merged again with the present resolution. */
#define TIMELINE_LIMIT 1024

void timeline_release(struct timeline *timeline)
{
	free(timeline->items);
	memset(timeline, 0, sizeof(*timeline));
}

/* Merges stretch into the one before if both together are short enough. */
static bool join(struct stretch *before, const struct stretch *stretch, uint64_t resolution)
{
	if (stretch->end < before->start || stretch->end - before->start > resolution)
		return false;
	if (stretch->end > before->end)
		before->end = stretch->end;
	for (size_t i = 0; i < TIMELINE_AMOUNTS; i++)
		before->amount[i] += stretch->amount[i];
	return true;
}

static void compact(struct timeline *timeline, uint64_t resolution)
{
	size_t kept = 1;

	for (size_t i = 1; i < timeline->count; i++)
		if (!join(&timeline->items[kept - 1], &timeline->items[i], resolution))
			timeline->items[kept++] = timeline->items[i];
	timeline->count = kept;
}

void timeline_add(struct timeline *timeline, const struct stretch *stretch, uint64_t resolution)
{
	if (timeline->count && join(&timeline->items[timeline->count - 1], stretch, resolution))
		return;
	if (timeline->count >= TIMELINE_LIMIT)
		compact(timeline, resolution);
	GROW(timeline->items, timeline->count + 1, timeline->alloc);
	timeline->items[timeline->count++] = *stretch;
}

/*
 * Adds to each cell the part of value that falls into it; from and to are in cells
 * from the start.
 */
static void spread(double value, double from, double to, double *cells, size_t count)
{
	size_t first = from <= 0 ? 0 : from >= (double)count ? count - 1 : (size_t)from;
	double length = to - from;

	if (length <= 0) {
		cells[first] += value;
		return;
	}
	for (size_t i = first; i < count && (double)i < to; i++) {
		double low = from > (double)i ? from : (double)i;
		double high = to < (double)(i + 1) ? to : (double)(i + 1);

		if (high > low)
			cells[i] += value * (high - low) / length;
	}
}

void timeline_spread(const struct timeline *timeline, size_t amount, uint64_t start, uint64_t end,
		     double *cells, size_t count)
{
	double width = end > start ? (double)(end - start) / (double)count : 1;

	for (size_t i = 0; i < timeline->count; i++) {
		const struct stretch *item = &timeline->items[i];
		double from = ((double)item->start - (double)start) / width;
		double to = ((double)item->end - (double)start) / width;

		if (from < 0)
			from = 0;
		if (to > (double)count)
			to = (double)count;
		spread(item->amount[amount], from, to, cells, count);
	}
}
