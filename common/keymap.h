/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of distinct keys, each of several 64-bit values, numbered from 0 in
 * order of first appearance. The caller keeps sums by key in an array of its own,
 * indexed by the key's number.
 */
#ifndef VIGIL_COMMON_KEYMAP_H
#define VIGIL_COMMON_KEYMAP_H

#include "common/compat.h"

struct keymap {
	size_t width; /* values per key */
	uint64_t *keys;
	size_t count, alloc; /* keys; values allocated */
	uint32_t *slots;     /* number + 1, 0 is free */
	size_t slot_count;
};

void keymap_init(struct keymap *map, size_t width);
void keymap_release(struct keymap *map);
/* Returns the number of key, adding it if it is new (its number is then the old count). */
size_t keymap_put(struct keymap *map, const uint64_t *key);
/* Returns the number of key, or SIZE_MAX. */
size_t keymap_find(const struct keymap *map, const uint64_t *key);
/* Returns the key with a number; valid until a key is added. */
const uint64_t *keymap_key(const struct keymap *map, size_t number);

#endif
