/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the compilation unit of an address; the unit does the rest. */
#include "common/compat.h"
#include "program/names/names-dwarf.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"
#include "program/names/dwarf-open.h"
#include "program/names/unit-sections.h"

#include <dwarf.h>

#define MAX_UNITS 1000000

struct dwarf_names {
	struct dwarf_file file;
	struct name_texts *texts;
	struct unit_names *units;
	size_t count, alloc;
	struct range_list ranges;
	bool split; /* a unit has its content in a separate file */
};

/* Lists the units and the addresses each covers. */
static void load_units(struct dwarf_names *names)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	while (names->count < MAX_UNITS &&
	       !dwarf_get_units(names->file.dwarf, cu, &cu, NULL, &type, &die, &split)) {
		Dwarf_Die *whole = type == DW_UT_skeleton && split.addr ? &split : &die;

		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		names->split |= type == DW_UT_skeleton;
		GROW(names->units, names->count + 1, names->alloc);
		unit_names_init(&names->units[names->count], whole, &die, names->texts);
		range_list_add_die(&names->ranges, &die, (uint32_t)names->count);
		names->count++;
	}
	range_list_sort(&names->ranges);
	unit_sections_assign(names->units, names->count);
}

struct dwarf_names *dwarf_names_new(Elf *elf, struct name_texts *texts)
{
	struct dwarf_names *names;
	struct dwarf_file file;

	if (!dwarf_file_open(&file, elf))
		return NULL;
	names = xcalloc(1, sizeof(*names));
	names->file = file;
	names->texts = texts;
	load_units(names);
	return names;
}

void dwarf_names_free(struct dwarf_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->count; i++)
		unit_names_release(&names->units[i]);
	free(names->units);
	free(names->ranges.items);
	dwarf_file_close(&names->file);
	free(names);
}

size_t dwarf_names_resolve(struct dwarf_names *names, uint64_t address,
			   struct name levels[NAMES_MAX_INLINE])
{
	const struct code_range *range = range_list_find(&names->ranges, address);

	return range ? unit_names_resolve(&names->units[range->owner], address, levels) : 0;
}

uint64_t dwarf_names_next(struct dwarf_names *names, uint64_t address)
{
	const struct code_range *range = range_list_find(&names->ranges, address);
	size_t at = LOWER_BOUND(names->ranges.count, i, names->ranges.items[i].start <= address);
	uint64_t next = at < names->ranges.count ? names->ranges.items[at].start : UINT64_MAX;
	uint64_t inside = range ? unit_names_next(&names->units[range->owner], address) : next;

	if (range && range->end < next)
		next = range->end;
	return inside < next ? inside : next;
}

const struct range_list *dwarf_names_functions(const struct dwarf_names *names, uint64_t address)
{
	const struct code_range *range = range_list_find(&names->ranges, address);

	return range ? unit_names_functions(&names->units[range->owner]) : NULL;
}

void dwarf_names_extent(const struct dwarf_names *names, uint64_t *start, uint64_t *end)
{
	const struct range_list *ranges = &names->ranges;

	*start = ranges->count ? ranges->items[0].start : 0;
	*end = ranges->count ? ranges->items[ranges->count - 1].reach : 0;
}

bool dwarf_names_is_split(const struct dwarf_names *names)
{
	return names->split;
}

/* Orders by owner, then by address. */
static int compare_parts(const void *left, const void *right)
{
	const struct code_range *a = left, *b = right;

	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

static int compare_addresses(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/*
 * Splits the ranges of all units so that each address is in only one, the one that
 * names_resolve uses.
 */
static void divide(const struct range_list *ranges, struct range_list *parts)
{
	size_t count = ranges->count * 2;
	uint64_t *bounds = xcalloc(count + 1, sizeof(*bounds));

	for (size_t i = 0; i < ranges->count; i++) {
		bounds[2 * i] = ranges->items[i].start;
		bounds[2 * i + 1] = ranges->items[i].end;
	}
	qsort(bounds, count, sizeof(*bounds), compare_addresses);
	for (size_t i = 0; i + 1 < count; i++) {
		const struct code_range *range =
			bounds[i] < bounds[i + 1] ? range_list_find(ranges, bounds[i]) : NULL;

		if (!range)
			continue;
		GROW(parts->items, parts->count + 1, parts->alloc);
		parts->items[parts->count++] = (struct code_range){ .start = bounds[i],
								    .end = bounds[i + 1],
								    .owner = range->owner };
	}
	free(bounds);
	if (parts->count)
		qsort(parts->items, parts->count, sizeof(*parts->items), compare_parts);
}

bool dwarf_names_stretches(struct dwarf_names *names, names_stretch_callback *take, void *argument)
{
	struct range_list parts = { 0 };
	bool more = true;

	divide(&names->ranges, &parts);
	for (size_t from = 0, to = 0; more && from < parts.count; from = to) {
		while (to < parts.count && parts.items[to].owner == parts.items[from].owner)
			to++;
		more = unit_names_stretches(&names->units[parts.items[from].owner],
					    parts.items + from, to - from, take, argument);
	}
	free(parts.items);
	return more;
}
