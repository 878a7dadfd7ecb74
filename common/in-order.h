/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting of data that is mostly in order already: addresses, lines. */
#ifndef VIGIL_COMMON_IN_ORDER_H
#define VIGIL_COMMON_IN_ORDER_H

#include "common/compat.h"

/* As qsort, but an array that is in order costs one pass. items may be NULL when count is 0. */
void sort_if_needed(void *items, size_t count, size_t size,
		    int (*compare)(const void *left, const void *right));

#endif
