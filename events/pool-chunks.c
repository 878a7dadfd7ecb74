/* SPDX-License-Identifier: Apache-2.0 */
/* Finds chunks of the data pool by lane and sequence. */
#include "events/pool-chunks.h"
#include "common/xalloc.h"

void pool_chunks_init(struct pool_chunks *chunks, uint64_t count)
{
	*chunks = (struct pool_chunks){ .count = count, .mask = 1 };
	while (chunks->mask < count)
		chunks->mask *= 2;
	chunks->owners = xcalloc(count, sizeof(*chunks->owners));
	chunks->sequences = xcalloc(count, sizeof(*chunks->sequences));
	chunks->following = xcalloc(count, sizeof(*chunks->following));
	chunks->heads = xcalloc(chunks->mask--, sizeof(*chunks->heads));
}

void pool_chunks_release(struct pool_chunks *chunks)
{
	free(chunks->owners);
	free(chunks->sequences);
	free(chunks->following);
	free(chunks->heads);
	*chunks = (struct pool_chunks){ 0 };
}

/* The chunks of one lane have heads one beside the other. */
static uint32_t *head_of(const struct pool_chunks *chunks, uint64_t lane, uint64_t sequence)
{
	return &chunks->heads[((lane * UINT64_C(0x9e3779b97f4a7c15) >> 32) + sequence) & chunks->mask];
}

void pool_chunks_add(struct pool_chunks *chunks, uint64_t chunk, uint64_t lane, uint64_t sequence)
{
	uint32_t *head = head_of(chunks, lane, sequence);

	chunks->owners[chunk] = lane;
	chunks->sequences[chunk] = sequence;
	chunks->following[chunk] = *head;
	*head = (uint32_t)chunk + 1;
}

bool pool_chunks_take(struct pool_chunks *chunks, uint64_t lane, uint64_t sequence, uint64_t *chunk)
{
	for (uint32_t *at = head_of(chunks, lane, sequence); *at; at = &chunks->following[*at - 1]) {
		uint64_t found = *at - 1;

		if (chunks->owners[found] != lane || chunks->sequences[found] != sequence)
			continue;
		*at = chunks->following[found];
		*chunk = found;
		return true;
	}
	return false;
}

void pool_chunks_free(struct pool_chunks *chunks, uint64_t chunk)
{
	chunks->owners[chunk] = 0;
}
