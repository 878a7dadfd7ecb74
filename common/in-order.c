/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts an array unless it is in order already. */
#include "common/compat.h"
#include "common/in-order.h"

void sort_if_needed(void *items, size_t count, size_t size,
		    int (*compare)(const void *left, const void *right))
{
	const char *item = items;

	for (size_t i = 1; i < count; i++, item += size)
		if (compare(item, item + size) > 0) {
			qsort(items, count, size, compare);
			return;
		}
}
