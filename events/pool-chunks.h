/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the monitor knows of the chunks of the data pool that threads have claimed:
 * which lane has which, and those still to be read by lane and sequence.
 */
#ifndef VIGIL_EVENTS_POOL_CHUNKS_H
#define VIGIL_EVENTS_POOL_CHUNKS_H

#include "common/compat.h"

struct pool_chunks {
	uint64_t count;	     /* of all chunks, below 2^32 */
	uint64_t *owners;    /* by chunk: its lane; 0: free, as far as known */
	uint64_t *sequences; /* by chunk: its index in the lane */
	uint32_t *heads;     /* by hash of lane and sequence: chunk + 1 of the first to be read */
	uint32_t *following; /* by chunk: chunk + 1 of the next with the same hash */
	uint64_t mask;	     /* number of heads - 1 */
};

void pool_chunks_init(struct pool_chunks *chunks, uint64_t count);
void pool_chunks_release(struct pool_chunks *chunks);
/* Notes that a chunk is a lane's, with that sequence, and is to be read. It must not have an owner. */
void pool_chunks_add(struct pool_chunks *chunks, uint64_t chunk, uint64_t lane, uint64_t sequence);
/* Finds a chunk to be read, which no longer is then, but still is the lane's; returns false if none is known. */
bool pool_chunks_take(struct pool_chunks *chunks, uint64_t lane, uint64_t sequence, uint64_t *chunk);
/* Notes that a chunk is free. It must not be one that is to be read. */
void pool_chunks_free(struct pool_chunks *chunks, uint64_t chunk);

#endif
