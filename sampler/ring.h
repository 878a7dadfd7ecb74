/* SPDX-License-Identifier: Apache-2.0 */
/* One ring buffer of the kernel: records are read in place; ring_return frees their space. */
#ifndef VIGIL_SAMPLER_RING_H
#define VIGIL_SAMPLER_RING_H

#include "common/compat.h"

#include <linux/perf_event.h>

struct ring {
	struct perf_event_mmap_page *page; /* NULL: not mapped */
	const unsigned char *data;
	uint64_t size;			    /* bytes of data, a power of two */
	uint64_t head;			    /* as last read from the kernel */
	uint64_t tail;			    /* position of the next record to read */
	unsigned char *bounce;		    /* buffer to join a record that wraps around; 64 KiB */
	const struct perf_event_header *at; /* the record at tail; NULL: not fetched yet */
};

/* Maps the ring of fd with size bytes of data; returns false with errno set if this is refused. */
bool ring_map(struct ring *ring, int fd, size_t size);
void ring_unmap(struct ring *ring);
/*
 * Makes another reader of a ring, which does not free space for the kernel; the
 * caller frees its bounce at the end.
 */
void ring_view(struct ring *view, const struct ring *ring);
/* Updates a view to what the kernel has written; skips what was read from the ring meanwhile. */
void ring_follow(struct ring *view, const struct ring *ring);
/* Reads how far the kernel has written. */
void ring_fetch(struct ring *ring);
/* Returns the next record; NULL: none up to the fetched head. Valid until ring_return. */
const struct perf_event_header *ring_peek(struct ring *ring);
/* Skips the record that ring_peek returned. */
void ring_next(struct ring *ring);
/* Frees the space of the records read so far for the kernel. */
void ring_return(struct ring *ring);

#endif
