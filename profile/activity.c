/* SPDX-License-Identifier: Apache-2.0 */
/* Activities of tasks and of files. */
#include "common/compat.h"
#include "profile/activity.h"
#include "common/xalloc.h"

void activity_release(struct activity_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		timeline_release(&table->items[i].timeline);
	free(table->items);
	idmap_release(&table->index);
	memset(table, 0, sizeof(*table));
}

struct activity_sum *activity_put(struct activity_table *table, uint64_t id)
{
	uint64_t number;

	if (!idmap_get(&table->index, id, &number)) {
		number = table->count++;
		idmap_put(&table->index, id, number);
		GROW(table->items, table->count, table->alloc);
		table->items[number] = (struct activity_sum){ .id = id };
	}
	return &table->items[number];
}

const struct activity_sum *activity_find(const struct activity_table *table, uint64_t id)
{
	uint64_t number;

	return idmap_get(&table->index, id, &number) ? &table->items[number] : NULL;
}

static int compare_busy(const void *first, const void *second)
{
	const struct activity_sum *a = *(const struct activity_sum *const *)first;
	const struct activity_sum *b = *(const struct activity_sum *const *)second;

	return a->busy != b->busy ? (a->busy > b->busy ? -1 : 1) : a->id < b->id ? -1 : a->id > b->id;
}

size_t activity_busiest(const struct activity_table *table, const struct activity_sum **busiest, size_t most)
{
	const struct activity_sum **order = xcalloc(table->count + 1, sizeof(*order));
	size_t count = 0;

	for (size_t i = 0; i < table->count; i++)
		if (table->items[i].busy)
			order[count++] = &table->items[i];
	qsort(order, count, sizeof(*order), compare_busy);
	count = count < most ? count : most;
	memcpy(busiest, order, count * sizeof(*order));
	free(order);
	return count;
}
