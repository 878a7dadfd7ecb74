/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of bytes, one per piece, each checked when it is first needed. */
#include "common/compat.h"
#include "program/names/names-sums.h"
#include "common/hash.h"
#include "common/xalloc.h"

#include <assert.h>

#define PIECE (64U << 10)
#define LANES 8
#define TURN 7

struct names_sums {
	const char *bytes;
	size_t length, read;
	const uint64_t *sums;
	bool *held; /* for each piece: it was checked */
	bool broken;
};

/*
 * A file with all names of a library has megabytes, so the lanes are independent
 * of each other and free of operations that do not vectorize. Any change of one
 * word changes its lane, and no later word can undo that.
 */
uint64_t names_sum(const char *bytes, size_t length)
{
	uint64_t lanes[LANES] = { length }, words[LANES], sum = 0;

	for (; length >= sizeof(words); bytes += sizeof(words), length -= sizeof(words)) {
		memcpy(words, bytes, sizeof(words));
		for (size_t i = 0; i < LANES; i++)
			lanes[i] = (lanes[i] << TURN | lanes[i] >> (64 - TURN)) + words[i];
	}
	for (size_t i = 0; i < LANES; i++)
		sum = hash_pair(sum, lanes[i]);
	return hash_pair(sum, hash_bytes(bytes, length));
}

size_t names_sums_count(size_t length)
{
	return (length + PIECE - 1) / PIECE;
}

/* Returns the checksum of a piece. */
static uint64_t sum_of_piece(const char *bytes, size_t length, size_t piece)
{
	size_t from = piece * PIECE, left = length - from;

	return names_sum(bytes + from, left < PIECE ? left : PIECE);
}

void names_sums_make(const char *bytes, size_t length, uint64_t *sums)
{
	for (size_t i = 0; i < names_sums_count(length); i++)
		sums[i] = sum_of_piece(bytes, length, i);
}

struct names_sums *names_sums_new(const char *bytes, size_t length, const uint64_t *sums)
{
	struct names_sums *made = xcalloc(1, sizeof(*made));

	*made = (struct names_sums){ .bytes = bytes, .length = length, .sums = sums };
	made->held = xcalloc(names_sums_count(length) + 1, sizeof(*made->held));
	return made;
}

void names_sums_free(struct names_sums *sums)
{
	if (sums)
		free(sums->held);
	free(sums);
}

bool names_sums_check(struct names_sums *sums, const void *from, size_t length)
{
	size_t at = (size_t)((const char *)from - sums->bytes);

	assert(at <= sums->length && length <= sums->length - at);
	for (size_t i = at / PIECE; length && i <= (at + length - 1) / PIECE && !sums->broken; i++) {
		if (sums->held[i])
			continue;
		sums->read++;
		sums->held[i] = sum_of_piece(sums->bytes, sums->length, i) == sums->sums[i];
		sums->broken = !sums->held[i];
	}
	return !sums->broken;
}

bool names_sums_damaged(const struct names_sums *sums)
{
	return sums->broken;
}

size_t names_sums_read(const struct names_sums *sums)
{
	return sums->read;
}
