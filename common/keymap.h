/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table of distinct keys of several 64-bit values each, numbered from 0 in
 * order of first appearance. Sums by key stand in an array of the caller's,
 * at the key's number.
 */
#ifndef VIGIL_COMMON_KEYMAP_H
#define VIGIL_COMMON_KEYMAP_H

#include "common/compat.h"

struct keymap {
	size_t width; /* values a key */
	uint64_t *keys;
	size_t count, alloc; /* keys; values allocated */
	uint32_t *slots;     /* number + 1, 0 is free */
	size_t slot_count;
};

void keymap_init(struct keymap *map, size_t width);
void keymap_release(struct keymap *map);
/* The number of key, adding it when it is new (then it is the old count). */
size_t keymap_put(struct keymap *map, const uint64_t *key);
/* The number of key, or SIZE_MAX. */
size_t keymap_find(const struct keymap *map, const uint64_t *key);
/* The key of a number; valid until a key is added. */
const uint64_t *keymap_key(const struct keymap *map, size_t number);

#endif
