/* SPDX-License-Identifier: Apache-2.0 */
/* One ring buffer of the kernel. */
#include "common/compat.h"
#include "sampler/ring.h"
#include "common/outside.h"
#include "common/xalloc.h"

#include <sys/mman.h>
#include <unistd.h>

#define RECORD_MAX 65536

bool ring_map(struct ring *ring, int fd, size_t size)
{
	void *base = outside_ring(fd, size);

	RETURN_IF(base == MAP_FAILED, false);
	ring->page = base;
	ring->data = (const unsigned char *)base + sysconf(_SC_PAGESIZE);
	ring->size = size;
	ring->head = ring->tail = 0;
	ring->at = NULL;
	ring->bounce = xmalloc(RECORD_MAX);
	return true;
}

void ring_unmap(struct ring *ring)
{
	if (ring->page)
		outside_drop_ring(ring->page, ring->size);
	free(ring->bounce);
	memset(ring, 0, sizeof(*ring));
}

void ring_view(struct ring *view, const struct ring *ring)
{
	*view = *ring;
	view->at = NULL;
	view->bounce = xmalloc(RECORD_MAX);
}

void ring_follow(struct ring *view, const struct ring *ring)
{
	if (view->tail < ring->tail) {
		view->tail = ring->tail;
		view->at = NULL;
	}
	ring_fetch(view);
}

void ring_fetch(struct ring *ring)
{
	ring->head = outside_ring_head(ring->page);
}

const struct perf_event_header *ring_peek(struct ring *ring)
{
	uint64_t offset = ring->tail & (ring->size - 1);
	uint64_t to_end = ring->size - offset;
	const struct perf_event_header *header;

	if (ring->at)
		return ring->at;
	if (ring->tail >= ring->head)
		return NULL;
	/* Records are multiples of 8 bytes, so a header never wraps. */
	header = (const void *)(ring->data + offset);
	if (header->size > to_end) {
		uint16_t size = header->size;

		memcpy(ring->bounce, ring->data + offset, to_end);
		memcpy(ring->bounce + to_end, ring->data, size - to_end);
		header = (const void *)ring->bounce;
	}
	ring->at = header;
	return header;
}

void ring_next(struct ring *ring)
{
	ring->tail += ring->at->size;
	ring->at = NULL;
}

void ring_return(struct ring *ring)
{
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
}
