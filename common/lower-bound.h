/* SPDX-License-Identifier: Apache-2.0 */
/* Binary search in a sorted array. */
#ifndef VIGIL_COMMON_LOWER_BOUND_H
#define VIGIL_COMMON_LOWER_BOUND_H

#include "common/compat.h"

/*
 * Returns the index of the first of count sorted elements that is not before the
 * wanted position: 0 to count, count if all are before it. index names a size_t
 * variable for the expression before, which says whether element number index is
 * before the wanted position; it must be true for the first elements up to some
 * element and false for all after it.
 *
 * The first element that is not below key, and the first that is above it:
 *
 * 	LOWER_BOUND(list->count, at, list->items[at].key < key)
 * 	LOWER_BOUND(list->count, at, list->items[at].key <= key)
 *
 * The last range that begins at or before address is the one before the second of
 * these; the first range that does not end before it:
 *
 * 	at = LOWER_BOUND(map->count, i, map->items[i].end <= address);
 * 	found = at < map->count && map->items[at].start <= address;
 */
#define LOWER_BOUND(count, index, before)                                                          \
	({                                                                                         \
		size_t low_ = 0, high_ = (count);                                                  \
		while (low_ < high_) {                                                             \
			size_t index = low_ + (high_ - low_) / 2;                                  \
			if (before)                                                                \
				low_ = index + 1;                                                  \
			else                                                                       \
				high_ = index;                                                     \
		}                                                                                  \
		low_;                                                                              \
	})

#endif
