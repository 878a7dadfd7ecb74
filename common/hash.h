/* SPDX-License-Identifier: Apache-2.0 */
/* Hash functions for tables in memory; hashes are never stored in a file. */
#ifndef VIGIL_COMMON_HASH_H
#define VIGIL_COMMON_HASH_H

#include "common/compat.h"

/* Mixes a 64-bit value so that every input bit affects every output bit. */
static inline uint64_t hash_u64(uint64_t value)
{
	value ^= value >> 33;
	value *= UINT64_C(0xff51afd7ed558ccd);
	value ^= value >> 33;
	value *= UINT64_C(0xc4ceb9fe1a85ec53);
	return value ^ (value >> 33);
}

/* Combines two values into one hash; the order matters. */
static inline uint64_t hash_pair(uint64_t first, uint64_t second)
{
	return hash_u64(first * UINT64_C(0x9e3779b97f4a7c15) + second);
}

/* FNV-1a over bytes that come in parts; start with HASH_START. */
#define HASH_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t hash_more(uint64_t hash, const void *data, size_t length)
{
	const unsigned char *byte = data;

	while (length--)
		hash = (hash ^ *byte++) * UINT64_C(0x100000001b3);
	return hash;
}

/* Returns FNV-1a over all bytes, then mixed. */
static inline uint64_t hash_bytes(const void *data, size_t length)
{
	return hash_u64(hash_more(HASH_START, data, length));
}

#endif
