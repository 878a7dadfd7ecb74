/* SPDX-License-Identifier: Apache-2.0 */
/* Call-frame tables of objects: look-up by address, compiling function by function. */
#include "common/compat.h"
#include "program/unwind/cfi.h"

#include "common/lower-bound.h"
#include "common/xalloc.h"

#include <elf.h>

#define DAMAGED UINT32_MAX
/* Functions are hardly ever inside others; this many preceding ones are tried. */
#define STEPS_BACK 3

void cfi_init(struct cfi_table *table, struct object *object, struct frame_rows *rows)
{
	memset(table, 0, sizeof(*table));
	table->object = object;
	table->rows = rows;
	cfi_index_frames(table);
}

void cfi_release(struct cfi_table *table)
{
	struct cfi_index *indexes[] = { &table->frames, &table->debug_frames };

	for (size_t i = 0; i < ARRAY_SIZE(indexes); i++) {
		free(indexes[i]->starts);
		free(indexes[i]->entries);
		free(indexes[i]->compiled);
	}
	free(table->functions);
	free(table->go_compiled);
	free(table->unpacked);
}

/* Returns how many functions of an index start at or before address (relative to the lowest). */
static size_t index_behind(const struct cfi_index *index, uint64_t relative)
{
	return LOWER_BOUND(index->count, at, index->starts[at] <= relative);
}

bool cfi_starts_at(const struct cfi_table *table, uint64_t address)
{
	uint64_t low = table->object->lowest_address;
	size_t behind = address >= low ? index_behind(&table->frames, address - low) : 0;

	return behind > 0 && table->frames.starts[behind - 1] == address - low;
}

/* Stores a compiled function; returns its number, counted from 1. */
static uint32_t keep_function(struct cfi_table *table, const struct cfi_function *function)
{
	GROW(table->functions, table->function_count + 1, table->function_alloc);
	table->functions[table->function_count++] = *function;
	return (uint32_t)table->function_count;
}

/* Returns the compiled form of a function; NULL if it is damaged. */
static const struct cfi_function *function_at(struct cfi_table *table, bool debug, size_t at)
{
	struct cfi_index *index = debug ? &table->debug_frames : &table->frames;
	struct cfi_function function;
	struct cfi_fde fde;

	if (index->compiled[at] == DAMAGED)
		return NULL;
	if (index->compiled[at])
		return &table->functions[index->compiled[at] - 1];
	index->compiled[at] = DAMAGED;
	if (!cfi_read_fde(table, debug, index->entries[at], &fde) ||
	    !cfi_compile(table, &fde, &function.first_row, &function.row_count))
		return NULL;
	function.start = fde.start;
	function.end = fde.end;
	index->compiled[at] = keep_function(table, &function);
	return &table->functions[table->function_count - 1];
}

/* Returns the function of an index that covers address, or NULL. */
static const struct cfi_function *find_function(struct cfi_table *table, bool debug,
						uint64_t address)
{
	struct cfi_index *index = debug ? &table->debug_frames : &table->frames;
	uint64_t low = table->object->lowest_address;
	size_t behind = address >= low ? index_behind(index, address - low) : 0;

	for (size_t step = 0; step < STEPS_BACK && step < behind; step++) {
		const struct cfi_function *function = function_at(table, debug, behind - 1 - step);

		if (function && address >= function->start && address < function->end)
			return function;
	}
	return NULL;
}

/* Returns the function of a Go program that covers address, or NULL. */
static const struct cfi_function *find_go_function(struct cfi_table *table, uint64_t address)
{
	struct cfi_function function;
	struct go_function found;
	uint32_t *compiled;

	if (!table->go_looked_for) {
		table->go_looked_for = true;
		if (go_functions_open(&table->go, table->object))
			table->go_compiled = xcalloc(table->go.count, sizeof(*table->go_compiled));
	}
	if (!go_function_find(&table->go, address, &found))
		return NULL;
	compiled = &table->go_compiled[found.number];
	if (*compiled == DAMAGED)
		return NULL;
	if (*compiled)
		return &table->functions[*compiled - 1];
	*compiled = DAMAGED;
	function.start = found.start;
	function.end = found.end;
	if (!cfi_compile_go(table, &found, &function.first_row, &function.row_count))
		return NULL;
	*compiled = keep_function(table, &function);
	return &table->functions[*compiled - 1];
}

/* Returns the function that covers address in any of the sections, or NULL. */
static const struct cfi_function *any_function(struct cfi_table *table, uint64_t address)
{
	const struct cfi_function *function = find_function(table, false, address);

	/* The debugging information of Go contains less. */
	if (!function)
		function = find_go_function(table, address);
	if (function)
		return function;
	if (!table->debug_looked_for) {
		table->debug_looked_for = true;
		cfi_index_debug_frames(table);
	}
	return table->debug_frames.count ? find_function(table, true, address) : NULL;
}

bool cfi_function_at(struct cfi_table *table, uint64_t address, uint64_t *start, uint64_t *end)
{
	const struct cfi_function *function = any_function(table, address);

	if (!function)
		return false;
	*start = function->start;
	*end = function->end;
	return true;
}

/* Returns the number of the row for address, or FRAME_NO_ROW. */
static uint32_t find_row(struct cfi_table *table, uint64_t address)
{
	const struct cfi_function *function = any_function(table, address);

	return function ? frame_rows_find(table->rows, function->first_row, function->row_count,
					  address)
			: FRAME_NO_ROW;
}

const struct frame_row *cfi_find(struct cfi_table *table, uint64_t address)
{
	struct cfi_cached *cached = &table->cache[(address ^ address >> 10) % CFI_CACHE];

	if (cached->row == 0 || cached->address != address) {
		uint32_t row = find_row(table, address);

		cached->address = address;
		cached->row = row == FRAME_NO_ROW ? FRAME_NO_ROW : row + 1;
	}
	return cached->row == FRAME_NO_ROW ? NULL : &table->rows->rows[cached->row - 1];
}

void cfi_gap(struct cfi_table *table, uint64_t address, uint64_t *low, uint64_t *high)
{
	const struct cfi_index *index = &table->frames;
	uint64_t base = table->object->lowest_address;
	size_t behind = address >= base ? index_behind(index, address - base) : 0;

	*low = base;
	*high = UINT64_MAX;
	if (behind > 0) {
		const struct cfi_function *function = function_at(table, false, behind - 1);

		*low = base + index->starts[behind - 1];
		if (function && function->end <= address)
			*low = function->end;
	}
	if (behind < index->count)
		*high = base + index->starts[behind];
	for (size_t i = 0; i < table->object->segment_count; i++) {
		const struct object_segment *segment = &table->object->segments[i];
		uint64_t end = segment->address + segment->file_size;

		if (segment->type != PT_LOAD || address < segment->address || address >= end)
			continue;
		*low = *low < segment->address ? segment->address : *low;
		*high = *high > end ? end : *high;
	}
}
