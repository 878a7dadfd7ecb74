/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by key, and an order to walk them in: the basis of every report. */
#ifndef VIGIL_PROFILE_SUMS_H
#define VIGIL_PROFILE_SUMS_H

#include "common/keymap.h"

struct sums {
	struct keymap keys;
	size_t width;	  /* amounts per key */
	uint64_t *values; /* amounts of key i start at values[i * width] */
	size_t alloc;
	size_t *order; /* set by a sort; order[0..keys.count) */
};

void sums_init(struct sums *sums, size_t key_width, size_t amounts);
void sums_release(struct sums *sums);
/* Returns the amounts of a key, all 0 if it is new; valid until a key is added. */
uint64_t *sums_at(struct sums *sums, const uint64_t *key);
const uint64_t *sums_key(const struct sums *sums, size_t number);
const uint64_t *sums_values(const struct sums *sums, size_t number);

/* Returns below 0, 0 or above 0 as key first sorts before, with or after second. */
typedef int (*sums_compare)(const uint64_t *first, const uint64_t *second, void *argument);
/* Sorts by falling amount, ties by compare (NULL: by key). */
void sums_sort_falling(struct sums *sums, size_t amount, sums_compare compare, void *argument);
/* Sorts by several amounts, each falling, the first one first; ties by key. */
void sums_sort_amounts(struct sums *sums, const size_t *amounts, size_t count);
/* Sorts by compare. */
void sums_sort(struct sums *sums, sums_compare compare, void *argument);

#endif
