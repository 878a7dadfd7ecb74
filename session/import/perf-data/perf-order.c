/* SPDX-License-Identifier: Apache-2.0 */
/* A heap of records by time. */
#include "common/compat.h"
#include "session/import/perf-data/perf-order.h"
#include "common/xalloc.h"

void perf_order_init(struct perf_order *order, size_t limit, perf_take_ordered *take, void *argument)
{
	*order = (struct perf_order){ .take = take, .argument = argument, .limit = limit };
}

void perf_order_release(struct perf_order *order)
{
	for (size_t i = 0; i < order->count; i++)
		free(order->heap[i].bytes);
	free(order->heap);
}

static bool is_before(const struct perf_ordered *one, const struct perf_ordered *other)
{
	return one->time != other->time ? one->time < other->time : one->sequence < other->sequence;
}

static void exchange(struct perf_ordered *one, struct perf_ordered *other)
{
	struct perf_ordered kept = *one;

	*one = *other;
	*other = kept;
}

/* Removes and returns the earliest record. */
static struct perf_ordered pop(struct perf_order *order)
{
	struct perf_ordered first = order->heap[0];
	size_t at = 0;

	order->heap[0] = order->heap[--order->count];
	for (;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < order->count; child++)
			if (is_before(&order->heap[child], &order->heap[least]))
				least = child;
		if (least == at)
			break;
		exchange(&order->heap[at], &order->heap[least]);
		at = least;
	}
	order->bytes -= first.size;
	return first;
}

/* Passes on the earliest record. */
static bool pass(struct perf_order *order)
{
	struct perf_ordered first = pop(order);
	bool more;

	if (first.time < order->passed)
		order->disordered++;
	else
		order->passed = first.time;
	more = order->take(order->argument, &first);
	free(first.bytes);
	return more;
}

bool perf_order_add(struct perf_order *order, uint64_t time, uint64_t place,
		    const unsigned char *bytes, size_t size)
{
	size_t at = order->count;

	GROW(order->heap, order->count + 1, order->alloc);
	order->heap[order->count++] = (struct perf_ordered){
		.time = time,
		.sequence = order->sequence++,
		.place = place,
		.size = size,
		.bytes = xmemdup(bytes, size),
	};
	order->bytes += size;
	for (; at && is_before(&order->heap[at], &order->heap[(at - 1) / 2]); at = (at - 1) / 2)
		exchange(&order->heap[at], &order->heap[(at - 1) / 2]);
	if (time > order->latest)
		order->latest = time;
	while (order->bytes > order->limit)
		if (!pass(order))
			return false;
	return true;
}

bool perf_order_round(struct perf_order *order)
{
	while (order->count && order->heap[0].time <= order->before)
		if (!pass(order))
			return false;
	order->before = order->latest;
	return true;
}

bool perf_order_flush(struct perf_order *order)
{
	while (order->count)
		if (!pass(order))
			return false;
	return true;
}
