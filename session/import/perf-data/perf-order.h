/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts records in the order of time. perf reads the rings of all processors in rounds and says
 * when one is over: what is as late as the latest record of the round before can be passed on
 * then, as later ones come. Records of one time stay in the order in which they came.
 *
 * What waits takes at most a given number of bytes: beyond that the earliest are passed on, and one
 * that comes later than others which it was before is counted.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_DATA_PERF_ORDER_H
#define VIGIL_SESSION_IMPORT_PERF_DATA_PERF_ORDER_H

#include "common/compat.h"

struct perf_ordered {
	uint64_t time, sequence, place;
	size_t size;
	unsigned char *bytes; /* at a multiple of 8 */
};

/* Takes a record in its turn; false: no more are wanted. */
typedef bool perf_take_ordered(void *argument, const struct perf_ordered *record);

struct perf_order {
	perf_take_ordered *take;
	void *argument;
	size_t limit; /* bytes */
	struct perf_ordered *heap; /* the earliest at [0] */
	size_t count, alloc, bytes;
	uint64_t sequence, latest, before; /* the latest time so far, and of the round before */
	uint64_t passed;		   /* the time of what was passed on last */
	uint64_t disordered;		   /* records that came too late */
};

void perf_order_init(struct perf_order *order, size_t limit, perf_take_ordered *take, void *argument);
void perf_order_release(struct perf_order *order);
/* Each false when no more are wanted. A record is copied. */
bool perf_order_add(struct perf_order *order, uint64_t time, uint64_t place,
		    const unsigned char *bytes, size_t size);
bool perf_order_round(struct perf_order *order);
/* Pass all on. */
bool perf_order_flush(struct perf_order *order);

#endif
