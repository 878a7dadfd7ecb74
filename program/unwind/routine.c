/* SPDX-License-Identifier: Apache-2.0 */
/* Routines without call-frame information: their starts, and the slots that lead to them. */
#include "common/compat.h"
#include "program/unwind/routine.h"

#include "common/lower-bound.h"
#include "common/xalloc.h"
#include "program/objects/object-symbols.h"

#include <elf.h>

struct routine_symbol {
	uint64_t start, size;
	const char *name;
};

/* The rows made from the code of a routine. */
struct routine_rows {
	uint32_t first_row, row_count;
};

void routine_init(struct routine_table *routines, struct cfi_table *cfi)
{
	memset(routines, 0, sizeof(*routines));
	routines->cfi = cfi;
	idmap_init(&routines->by_start);
}

void routine_release(struct routine_table *routines)
{
	idmap_release(&routines->by_start);
	free(routines->analysed);
	free(routines->symbols);
	free(routines->slots);
}

/* Returns whether a symbol names a routine: a function, or a global label in assembly. */
static bool names_routine(const struct object *object, const struct object_symbol *symbol)
{
	if (symbol->address == 0 ||
	    (symbol->type != STT_FUNC && symbol->type != STT_GNU_IFUNC &&
	     !(symbol->type == STT_NOTYPE && symbol->binding == STB_GLOBAL)))
		return false;
	return object_code_end(object, symbol->address) != 0;
}

/* Orders by start, larger ones first. */
static int compare_symbols(const void *a, const void *b)
{
	const struct routine_symbol *first = a, *second = b;

	if (first->start != second->start)
		return first->start < second->start ? -1 : 1;
	return (first->size < second->size) - (first->size > second->size);
}

/* Reads the symbol tables, once. */
static void need_symbols(struct routine_table *routines)
{
	struct object *object = routines->cfi->object;
	struct object_symbols all;
	struct object_symbol symbol;

	if (routines->symbols_read)
		return;
	routines->symbols_read = true;
	object_symbols_begin(&all, object);
	while (object_symbols_next(&all, &symbol)) {
		if (!names_routine(object, &symbol) ||
		    (!symbol.dynamic && cfi_starts_at(routines->cfi, symbol.address)))
			continue;
		GROW(routines->symbols, routines->symbol_count + 1, routines->symbol_alloc);
		routines->symbols[routines->symbol_count++] =
			(struct routine_symbol){ symbol.address, symbol.size, symbol.name };
	}
	if (routines->symbol_count)
		qsort(routines->symbols, routines->symbol_count, sizeof(*routines->symbols),
		      compare_symbols);
}

/* Returns how many symbols start at or before address. */
static size_t symbols_behind(const struct routine_table *routines, uint64_t address)
{
	return LOWER_BOUND(routines->symbol_count, at, routines->symbols[at].start <= address);
}

bool routine_find(struct routine_table *routines, uint64_t address, struct routine *routine)
{
	const struct routine_symbol *symbol;
	uint64_t low, high;
	size_t at;

	need_symbols(routines);
	at = symbols_behind(routines, address);
	if (at == 0)
		return false;
	cfi_gap(routines->cfi, address, &low, &high);
	symbol = &routines->symbols[at - 1];
	if (at < routines->symbol_count && routines->symbols[at].start < high)
		high = routines->symbols[at].start;
	if (symbol->start < low || (symbol->size && address - symbol->start >= symbol->size))
		return false;
	routine->start = symbol->start;
	routine->end = high;
	return true;
}

bool routine_is_named(struct routine_table *routines, uint64_t address, const char *name)
{
	size_t at;

	need_symbols(routines);
	for (at = symbols_behind(routines, address);
	     at > 0 && routines->symbols[at - 1].start == address; at--)
		if (strcmp(routines->symbols[at - 1].name, name) == 0)
			return true;
	return false;
}

/* Returns the rows of a routine; its code is read at the first call. */
static const struct routine_rows *analysed_of(struct routine_table *routines,
					      const struct routine *routine)
{
	struct routine_rows rows = { 0, 0 };
	uint64_t number;

	if (!idmap_get(&routines->by_start, routine->start, &number)) {
		routine_analyse(routines->cfi->object, routine, routines->cfi->rows,
				&rows.first_row, &rows.row_count);
		number = routines->analysed_count;
		GROW(routines->analysed, routines->analysed_count + 1, routines->analysed_alloc);
		routines->analysed[routines->analysed_count++] = rows;
		idmap_put(&routines->by_start, routine->start, number);
	}
	return &routines->analysed[number];
}

const struct frame_row *routine_row(struct routine_table *routines, const struct routine *routine,
				    uint64_t address)
{
	const struct routine_rows *of = analysed_of(routines, routine);
	const struct frame_rows *rows = routines->cfi->rows;
	uint32_t row = frame_rows_find(rows, of->first_row, of->row_count, address);

	return row == FRAME_NO_ROW || rows->rows[row].rule_count == 0 ? NULL : &rows->rows[row];
}

/* Finds what a relocation stores in a slot; returns false if it does not lead to code. */
static bool read_slot(const struct object *object, const struct object_relocation *relocation,
		      struct routine_slot *slot)
{
	*slot = (struct routine_slot){ relocation->address, 0, NULL };
	switch (relocation->type) {
	case R_X86_64_RELATIVE:
		slot->target = relocation->addend;
		return object_code_end(object, slot->target) != 0;
	case R_X86_64_JUMP_SLOT:
	case R_X86_64_GLOB_DAT:
		slot->name = relocation->name;
		return slot->name != NULL;
	default:
		return false;
	}
}

/* Orders by slot. */
static int compare_slots(const void *a, const void *b)
{
	const struct routine_slot *first = a, *second = b;

	return (first->slot > second->slot) - (first->slot < second->slot);
}

/* Reads the relocations, once. */
static void need_slots(struct routine_table *routines)
{
	struct object *object = routines->cfi->object;
	struct object_relocations all;
	struct object_relocation relocation;
	struct routine_slot slot;

	if (routines->slots_read)
		return;
	routines->slots_read = true;
	object_relocations_begin(&all, object);
	while (object_relocations_next(&all, &relocation)) {
		if (!read_slot(object, &relocation, &slot))
			continue;
		GROW(routines->slots, routines->slot_count + 1, routines->slot_alloc);
		routines->slots[routines->slot_count++] = slot;
	}
	if (routines->slot_count)
		qsort(routines->slots, routines->slot_count, sizeof(*routines->slots),
		      compare_slots);
}

const struct routine_slot *routine_slot_at(struct routine_table *routines, uint64_t slot)
{
	struct routine_slot key = { slot, 0, NULL };

	need_slots(routines);
	return routines->slot_count ? bsearch(&key, routines->slots, routines->slot_count,
					      sizeof(*routines->slots), compare_slots)
				    : NULL;
}
