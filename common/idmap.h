/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table from a 64-bit key to a 64-bit value, for the hot paths: open
 * addressing, no allocation on look-up, no pointers kept by the caller
 * across a change of the table.
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
/* Set the value of key, adding it when it is new. */
void idmap_put(struct idmap *map, uint64_t key, uint64_t value);
/* Look key up; false leaves *value alone. */
bool idmap_get(const struct idmap *map, uint64_t key, uint64_t *value);
/* Remove key; false when it was not there. */
bool idmap_remove(struct idmap *map, uint64_t key);
/*
 * Walk through all keys, in no order that means anything; false at the end.
 * *at is 0 at first and otherwise the map's. While a walk goes on no key may be
 * added; the one that came last may be removed.
 *
 *	for (size_t at = 0; idmap_next(&map, &at, &key, &value);)
 *		...
 */
bool idmap_next(const struct idmap *map, size_t *at, uint64_t *key, uint64_t *value);

#endif
