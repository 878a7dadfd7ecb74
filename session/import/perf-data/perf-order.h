/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts records by time. perf reads the buffers of all processors in rounds and
 * marks the end of each: records up to the latest time of the round before can
 * then be passed on, because later records have later times. Records with the same
 * time keep their order.
 *
 * Waiting records take at most a given number of bytes: beyond that the earliest
 * are passed on, and records that then come too late are counted.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_DATA_PERF_ORDER_H
#define VIGIL_SESSION_IMPORT_PERF_DATA_PERF_ORDER_H

#include "common/compat.h"

struct perf_ordered {
	uint64_t time, sequence, place;
	size_t size;
	unsigned char *bytes; /* aligned to 8 */
};

/* Receives a record in order; false: no more are wanted. */
typedef bool perf_take_ordered(void *argument, const struct perf_ordered *record);

struct perf_order {
	perf_take_ordered *take;
	void *argument;
	size_t limit; /* bytes */
	struct perf_ordered *heap; /* earliest at [0] */
	size_t count, alloc, bytes;
	uint64_t sequence, latest, before; /* latest time so far, and at the end of the round
					    * before */
	uint64_t passed;		   /* time of the last record passed on */
	uint64_t disordered;		   /* records that came too late */
};

void perf_order_init(struct perf_order *order, size_t limit, perf_take_ordered *take, void *argument);
void perf_order_release(struct perf_order *order);
/* Add a record, which is copied, or end a round. Each returns false if no more are wanted. */
bool perf_order_add(struct perf_order *order, uint64_t time, uint64_t place,
		    const unsigned char *bytes, size_t size);
bool perf_order_round(struct perf_order *order);
/* Passes on all records. */
bool perf_order_flush(struct perf_order *order);

#endif
