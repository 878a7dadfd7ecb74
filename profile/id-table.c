/* SPDX-License-Identifier: Apache-2.0 */
/* Records by their id. */
#include "common/compat.h"
#include "profile/id-table.h"
#include "common/xalloc.h"

void id_table_release(struct id_table *table)
{
	idmap_release(&table->index);
	free(table->values);
	memset(table, 0, sizeof(*table));
}

uint64_t *id_table_put(struct id_table *table, const uint64_t *values, size_t width)
{
	size_t number = id_table_number(table, values[0]);

	assert(!table->count || table->width == width);
	table->width = width;
	if (number == SIZE_MAX) {
		number = table->count++;
		idmap_put(&table->index, values[0], number);
		if (table->count * width > table->alloc)
			GROW(table->values, table->count * width * 2, table->alloc);
	}
	memcpy(table->values + number * width, values, width * sizeof(*values));
	return table->values + number * width;
}

const void *id_table_at(const struct id_table *table, size_t number)
{
	assert(number < table->count);
	return table->values + number * table->width;
}

const void *id_table_get(const struct id_table *table, uint64_t id)
{
	size_t number = id_table_number(table, id);

	return number == SIZE_MAX ? NULL : id_table_at(table, number);
}

size_t id_table_number(const struct id_table *table, uint64_t id)
{
	uint64_t number;

	return idmap_get(&table->index, id, &number) ? (size_t)number : SIZE_MAX;
}
