/* SPDX-License-Identifier: Apache-2.0 */
/* Symbol tables, and how they are filled from an object. */
#include "common/compat.h"
#include "program/names/names-symbols.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"
#include "program/objects/go-functions.h"
#include "program/objects/object-symbols.h"

#include <elf.h>

/* A symbol with a larger size is regarded as damaged. */
#define SYMBOL_MAX_SIZE (UINT64_C(1) << 40)

void symbol_table_init(struct symbol_table *table)
{
	memset(table, 0, sizeof(*table));
}

void symbol_table_release(struct symbol_table *table)
{
	free(table->items);
	memset(table, 0, sizeof(*table));
}

void symbol_table_add(struct symbol_table *table, const struct symbol *symbol)
{
	GROW(table->items, table->count + 1, table->alloc);
	table->items[table->count++] = *symbol;
	if (!symbol->plt)
		table->functions = true;
}

/* Returns whether a name is one that assemblers and compilers give to labels inside a routine. */
static bool is_local_label(const char *name)
{
	return name[0] == '.' || name[0] == '$' || (name[0] == 'L' && name[1] == '0');
}

/* Returns the rank of a symbol among others at its address. */
static enum symbol_rank rank_of(const struct object_symbol *symbol)
{
	if (symbol->type == STT_NOTYPE && !symbol->size)
		return SYMBOL_LABEL;
	switch (symbol->binding) {
	case STB_LOCAL:
		return SYMBOL_LOCAL;
	case STB_WEAK:
		return SYMBOL_WEAK;
	default:
		return SYMBOL_GLOBAL;
	}
}

/* Returns whether a symbol can be the name of instructions. */
static bool is_code_symbol(const struct object_symbol *symbol)
{
	if (symbol->type != STT_FUNC && symbol->type != STT_GNU_IFUNC && symbol->type != STT_NOTYPE)
		return false;
	if (symbol->type == STT_NOTYPE && !symbol->size && is_local_label(symbol->name))
		return false;
	return symbol->size < SYMBOL_MAX_SIZE;
}

/*
 * Returns the upper limit of the instructions that a symbol can name, 0 if it is
 * not at instructions.
 */
static uint64_t code_limit(struct object *object, const struct object_symbol *symbol)
{
	struct object_section section;

	/* An image from memory has no sections. */
	if (object->image_is_memory)
		return object->lowest_address + object->image_size;
	if (!object_section_at(object, symbol->section, &section) ||
	    !(section.flags & SHF_EXECINSTR))
		return 0;
	return section.address + section.size;
}

/* Adds the functions from the table in a Go program. */
static void add_go_functions(struct symbol_table *table, struct object *object)
{
	struct go_functions functions;
	struct go_function function;

	if (!go_functions_open(&functions, object))
		return;
	for (size_t i = 0; i < functions.count; i++)
		if (go_function_at(&functions, i, &function) && *function.name)
			symbol_table_add(table, &(struct symbol){ .start = function.start,
								  .size = function.end - function.start,
								  .sized = true,
								  .limit = function.end,
								  .name = function.name,
								  .section = "",
								  .rank = SYMBOL_LABEL });
	table->go = true;
}

void symbol_table_add_object(struct symbol_table *table, struct object *object)
{
	struct object_symbols symbols;
	struct object_symbol found;
	unsigned last = 0;
	uint64_t limit = 0;

	object_symbols_begin(&symbols, object);
	while (object_symbols_next(&symbols, &found)) {
		if (!is_code_symbol(&found))
			continue;
		if (found.section != last)
			limit = code_limit(object, &found);
		last = found.section;
		if (found.address < limit)
			symbol_table_add(table, &(struct symbol){ .start = found.address,
								  .size = found.size,
								  .sized = found.size != 0,
								  .limit = limit,
								  .name = found.name,
								  .section = "",
								  .rank = rank_of(&found) });
	}
	add_go_functions(table, object);
}

/* Orders by address; at one address the best comes first. */
static int compare_symbols(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->sized != b->sized)
		return a->sized ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	if (strspn(a->name, "_") != strspn(b->name, "_"))
		return strspn(a->name, "_") < strspn(b->name, "_") ? -1 : 1;
	return strcmp(a->name, b->name);
}

void symbol_table_sort(struct symbol_table *table)
{
	size_t kept = 0;
	uint64_t reach = 0;

	if (!table->count)
		return;
	qsort(table->items, table->count, sizeof(*table->items), compare_symbols);
	for (size_t i = 0; i < table->count; i++)
		if (!kept || table->items[kept - 1].start != table->items[i].start)
			table->items[kept++] = table->items[i];
	table->count = kept;
	for (size_t i = 0; i < kept; i++) {
		struct symbol *symbol = &table->items[i];
		uint64_t next = i + 1 < kept ? symbol[1].start : UINT64_MAX;

		if (!symbol->sized)
			symbol->size =
				(next < symbol->limit ? next : symbol->limit) - symbol->start;
		if (symbol->start + symbol->size > reach)
			reach = symbol->start + symbol->size;
		symbol->reach = reach;
	}
}

const struct symbol *symbol_table_find(const struct symbol_table *table, uint64_t address)
{
	const struct symbol *unsized = NULL;
	size_t behind = LOWER_BOUND(table->count, at, table->items[at].start <= address);

	for (size_t i = behind, steps = 0; i-- > 0 && steps < 64; steps++) {
		const struct symbol *symbol = &table->items[i];

		if (symbol->reach <= address)
			break;
		if (address - symbol->start >= symbol->size)
			continue;
		if (symbol->sized)
			return symbol;
		if (!unsized)
			unsized = symbol;
	}
	return unsized;
}

uint64_t symbol_table_next(const struct symbol_table *table, uint64_t address)
{
	size_t behind = LOWER_BOUND(table->count, at, table->items[at].start <= address);
	const struct symbol *symbol = symbol_table_find(table, address);
	uint64_t next = behind < table->count ? table->items[behind].start : UINT64_MAX;

	if (symbol && symbol->start + symbol->size < next)
		next = symbol->start + symbol->size;
	return next;
}

bool symbol_table_has(const struct symbol_table *table, const char *name, size_t length)
{
	for (size_t i = 0; i < table->count; i++)
		if (!strncmp(table->items[i].name, name, length) && !table->items[i].name[length])
			return true;
	return false;
}
