/* SPDX-License-Identifier: Apache-2.0 */
/* Names of frames. */
#include "common/compat.h"
#include "profile/name-table.h"
#include "common/xalloc.h"
#include "records/record-types.h"

void name_table_init(struct name_table *table)
{
	memset(table, 0, sizeof(*table));
	keymap_init(&table->index, 2);
}

void name_table_release(struct name_table *table)
{
	keymap_release(&table->index);
	free(table->rows);
	name_table_init(table);
}

void name_table_put(struct name_table *table, const struct record_name *name)
{
	size_t number = keymap_put(&table->index, (const uint64_t[]){ name->frame, name->depth });

	GROW(table->rows, number + 1, table->alloc);
	table->rows[number] = *name;
}

const struct record_name *name_table_find(const struct name_table *table, uint64_t frame,
					  uint64_t depth)
{
	size_t number = keymap_find(&table->index, (const uint64_t[]){ frame, depth });

	return number == SIZE_MAX ? NULL : &table->rows[number];
}
