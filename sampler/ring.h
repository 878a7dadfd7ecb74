/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One ring buffer of the kernel: records are read in place; the room they
 * took is given back with ring_return.
 */
#ifndef VIGIL_SAMPLER_RING_H
#define VIGIL_SAMPLER_RING_H

#include "common/compat.h"

#include <linux/perf_event.h>

struct ring {
	struct perf_event_mmap_page *page; /* NULL: not mapped */
	const unsigned char *data;
	uint64_t size;			    /* bytes of data, a power of two */
	uint64_t head;			    /* as last fetched from the kernel */
	uint64_t tail;			    /* of the next record to read */
	unsigned char *bounce;		    /* a record that wraps around is joined here; 64 KiB */
	const struct perf_event_header *at; /* the record at tail, NULL: not looked at yet */
};

/* Map the ring of fd with size bytes of data; false with errno set when it is refused. */
bool ring_map(struct ring *ring, int fd, size_t size);
void ring_unmap(struct ring *ring);
/* Another reader of a ring, that gives nothing back to the kernel; free its bounce at the end. */
void ring_view(struct ring *view, const struct ring *ring);
/* See for a view how far the kernel has written; what was read from the ring meanwhile is skipped. */
void ring_follow(struct ring *view, const struct ring *ring);
/* See how far the kernel has written. */
void ring_fetch(struct ring *ring);
/* The next record, NULL when there is none up to the fetched head. Valid until ring_return. */
const struct perf_event_header *ring_peek(struct ring *ring);
/* Step over the record that ring_peek gave. */
void ring_next(struct ring *ring);
/* Give the room of the records passed so far back to the kernel. */
void ring_return(struct ring *ring);

#endif
