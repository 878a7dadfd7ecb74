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
