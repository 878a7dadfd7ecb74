/* SPDX-License-Identifier: Apache-2.0 */
/* Splits rows by chains of callers. */
#include "common/compat.h"
#include "reports/chain-rows.h"
#include "common/xalloc.h"

void chain_rows_init(struct chain_rows *rows, const struct profile *profile, size_t width)
{
	*rows = (struct chain_rows){ .width = width,
				     .key = xcalloc(width + 1, sizeof(*rows->key)) };
	call_chains_init(&rows->chains, profile);
	sums_init(&rows->ways, width + 1, 1);
	keymap_init(&rows->rows, width);
}

void chain_rows_release(struct chain_rows *rows)
{
	call_chains_release(&rows->chains);
	sums_release(&rows->ways);
	keymap_release(&rows->rows);
	free(rows->items);
	free(rows->key);
	*rows = (struct chain_rows){ 0 };
}

/* Returns the key of a stack's chain: that of the row, and the chain. */
static const uint64_t *way_of(struct chain_rows *rows, const uint64_t *key, size_t stack)
{
	memcpy(rows->key, key, rows->width * sizeof(*key));
	rows->key[rows->width] = call_chains_of(&rows->chains, stack);
	return rows->key;
}

void chain_rows_take(struct chain_rows *rows, const uint64_t *key, size_t stack, uint64_t weight)
{
	*sums_at(&rows->ways, way_of(rows, key, stack)) += weight;
}

void chain_rows_end(struct chain_rows *rows, double least)
{
	for (size_t i = 0; i < rows->ways.keys.count; i++) {
		size_t before = rows->rows.count;
		size_t number = keymap_put(&rows->rows, sums_key(&rows->ways, i));

		GROW(rows->items, number + 1, rows->alloc);
		if (number == before)
			rows->items[number] = (struct chain_row){ 0 };
		rows->items[number].ways++;
		rows->items[number].small += (double)*sums_values(&rows->ways, i) < least;
	}
}

static const struct chain_row *find(const struct chain_rows *rows, const uint64_t *key)
{
	return &rows->items[keymap_find(&rows->rows, key)];
}

uint64_t chain_rows_key(struct chain_rows *rows, const uint64_t *key, size_t stack, double least)
{
	const struct chain_row *row = find(rows, key);
	const uint64_t *way = way_of(rows, key, stack);
	bool small = (double)*sums_at(&rows->ways, way) < least;

	if (row->ways == 1 || row->small == row->ways)
		return CHAIN_ROWS_WHOLE;
	return small && row->small > 1 ? CHAIN_ROWS_OTHERS : way[rows->width] + 1;
}

size_t chain_rows_others(const struct chain_rows *rows, const uint64_t *key)
{
	return find(rows, key)->small;
}
