/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table from a 64-bit key to a 64-bit value, for hot paths: open
 * addressing, no allocation on look-up. Callers must not keep pointers into the
 * table across changes.
 */
#ifndef VIGIL_COMMON_IDMAP_H
#define VIGIL_COMMON_IDMAP_H

#include "common/compat.h"

struct idmap {
	struct idmap_slot {
		uint64_t key;
		uint64_t value;
		uint8_t state; /* 0 free, 1 used, 2 deleted */
	} *slots;
	size_t slot_count; /* a power of two, or 0 */
	size_t used;	   /* slots that are not free */
	size_t count;	   /* keys present */
};

void idmap_init(struct idmap *map);
void idmap_release(struct idmap *map);
/* Sets the value of key, adding the key if it is new. */
void idmap_put(struct idmap *map, uint64_t key, uint64_t value);
/* Looks up key; if it is absent, returns false and leaves *value unchanged. */
bool idmap_get(const struct idmap *map, uint64_t key, uint64_t *value);
/* Removes key; returns false if it was not present. */
bool idmap_remove(struct idmap *map, uint64_t key);
/*
 * Iterates over all keys in arbitrary order; returns false at the end. *at must be
 * 0 at first and must not be changed by the caller. During the iteration no key
 * may be added; the key returned last may be removed.
 *
 * 	for (size_t at = 0; idmap_next(&map, &at, &key, &value);)
 * 		...
 */
bool idmap_next(const struct idmap *map, size_t *at, uint64_t *key, uint64_t *value);

#endif
