/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of address ranges with owners (units, functions, inlined calls): filled,
 * sorted once, then searched. Ranges may overlap and nest; an owner may have
 * several.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_RANGES_H
#define VIGIL_PROGRAM_NAMES_NAMES_RANGES_H

#include "common/compat.h"

#include <elfutils/libdw.h>

struct code_range {
	uint64_t start, end;
	uint64_t reach; /* highest end of this range and all before it; set by range_list_sort */
	uint32_t owner;
};

struct range_list {
	struct code_range *items;
	size_t count, alloc;
};

/* Adds the address ranges of a DIE. */
void range_list_add_die(struct range_list *list, Dwarf_Die *die, uint32_t owner);
/* Sorts the ranges; to be called after the last one was added. */
void range_list_sort(struct range_list *list);
/* Returns the smallest range that contains address, or NULL. */
const struct code_range *range_list_find(const struct range_list *list, uint64_t address);
/* Finds the lowest address, and the total bytes, of the ranges of one owner. */
void range_list_extent(const struct range_list *list, uint32_t owner, uint64_t *start,
		       uint64_t *size);

#endif
