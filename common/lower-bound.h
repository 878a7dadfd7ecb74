/* SPDX-License-Identifier: Apache-2.0 */
/* Finding in what is sorted, and the last part of a path. */
#ifndef VIGIL_COMMON_LOWER_BOUND_H
#define VIGIL_COMMON_LOWER_BOUND_H

#include "common/compat.h"

/*
 * The first of count sorted elements that is not before what is looked for:
 * a number from 0 to count, count when all are. index names a size_t for the
 * expression before, which says of one element whether it stands before the
 * place; it must hold for the first ones, up to some element, and for none
 * after it.
 *
 * The first that is not below key, and the first that is above it:
 *
 *	LOWER_BOUND(list->count, at, list->items[at].key < key)
 *	LOWER_BOUND(list->count, at, list->items[at].key <= key)
 *
 * The last range that begins at or before address stands one below the second
 * of these; the first range that does not end before it:
 *
 *	at = LOWER_BOUND(map->count, i, map->items[i].end <= address);
 *	found = at < map->count && map->items[at].start <= address;
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
