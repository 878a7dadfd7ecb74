/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of address ranges, sorted once and then searched. */
#include "common/compat.h"
#include "program/names/names-ranges.h"
#include "common/in-order.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"

#define MAX_RANGES 100000

void range_list_add_die(struct range_list *list, Dwarf_Die *die, uint32_t owner)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	for (size_t i = 0; i < MAX_RANGES; i++) {
		offset = dwarf_ranges(die, offset, &base, &start, &end);
		if (offset <= 0)
			return;
		if (!start || start >= end) /* dropped by the linker, or damaged */
			continue;
		GROW(list->items, list->count + 1, list->alloc);
		list->items[list->count++] =
			(struct code_range){ .start = start, .end = end, .owner = owner };
	}
}

/* Orders by start, then wider ranges first. */
static int compare_ranges(const void *left, const void *right)
{
	const struct code_range *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->owner < b->owner ? -1 : a->owner > b->owner;
}

void range_list_sort(struct range_list *list)
{
	uint64_t reach = 0;

	sort_if_needed(list->items, list->count, sizeof(*list->items), compare_ranges);
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].end > reach)
			reach = list->items[i].end;
		list->items[i].reach = reach;
	}
}

const struct code_range *range_list_find(const struct range_list *list, uint64_t address)
{
	const struct code_range *best = NULL;
	size_t behind = LOWER_BOUND(list->count, at, list->items[at].start <= address);

	for (size_t i = behind, steps = 0; i-- > 0 && steps < 10000; steps++) {
		const struct code_range *range = &list->items[i];

		if (range->reach <= address)
			break;
		if (address < range->end &&
		    (!best || range->end - range->start < best->end - best->start))
			best = range;
	}
	return best;
}

void range_list_extent(const struct range_list *list, uint32_t owner, uint64_t *start,
		       uint64_t *size)
{
	*start = *size = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct code_range *range = &list->items[i];

		if (range->owner != owner)
			continue;
		if (!*size || range->start < *start)
			*start = range->start;
		*size += range->end - range->start;
	}
}
