/* SPDX-License-Identifier: Apache-2.0 */
/* Routines without call-frame information: where they begin, which slots lead to them. */
#include "common/compat.h"
#include "program/unwind/routine.h"

#include "common/idmap.h"
#include "common/xalloc.h"

#include <elf.h>

#define MAX_SYMBOLS (UINT64_C(1) << 22)

struct symbol {
	uint64_t start, size;
	const char *name;
};

/* A routine whose code was read. */
struct analysed {
	uint32_t first_row, row_count;
};

struct routine_table {
	/* By start. Of .symtab, which may be huge, only what call-frame information does not cover.
	 */
	struct symbol *symbols;
	size_t symbol_count, symbol_alloc;
	struct routine_slot *slots; /* by slot */
	size_t slot_count, slot_alloc;
	bool symbols_read, slots_read;
	struct idmap by_start; /* start of a routine -> number in analysed */
	struct analysed *analysed;
	size_t analysed_count, analysed_alloc;
};

void routine_table_free(struct routine_table *routines)
{
	if (!routines)
		return;
	idmap_release(&routines->by_start);
	free(routines->analysed);
	free(routines->symbols);
	free(routines->slots);
	free(routines);
}

/* The routines of a table, made when first asked for. */
static struct routine_table *routines_of(struct cfi_table *table)
{
	if (!table->routines) {
		table->routines = xcalloc(1, sizeof(*table->routines));
		idmap_init(&table->routines->by_start);
	}
	return table->routines;
}

/* The texts a symbol table points to; NULL unless they end with NUL. */
static const char *string_table(struct object *object, uint32_t number, uint64_t *size)
{
	struct object_section section;
	const unsigned char *bytes;

	if (!object_section_at(object, number, &section) || section.type != SHT_STRTAB)
		return NULL;
	bytes = object_section_bytes(object, &section);
	*size = section.size;
	return bytes && bytes[section.size - 1] == '\0' ? (const char *)bytes : NULL;
}

/* Whether an address is in a segment that can be executed. */
static bool is_code(const struct object *object, uint64_t address)
{
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct object_segment *segment = &object->segments[i];

		if (segment->type == PT_LOAD && (segment->flags & PF_X) &&
		    address >= segment->address && address - segment->address < segment->file_size)
			return true;
	}
	return false;
}

/* Whether a symbol names a routine: a function, or a global label of assembly. */
static bool names_routine(const struct object *object, const Elf64_Sym *symbol)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info), bind = ELF64_ST_BIND(symbol->st_info);

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_value == 0)
		return false;
	if (type != STT_FUNC && type != STT_GNU_IFUNC &&
	    !(type == STT_NOTYPE && bind == STB_GLOBAL))
		return false;
	return is_code(object, symbol->st_value);
}

/* Take the routines over from one symbol table. */
static void read_symbols(struct cfi_table *table, const struct object_section *section)
{
	struct routine_table *routines = table->routines;
	const unsigned char *bytes = object_section_bytes(table->object, section);
	uint64_t text_size = 0, count = section->size / sizeof(Elf64_Sym);
	const char *text = string_table(table->object, section->link, &text_size);

	if (!bytes || !text)
		return;
	for (uint64_t i = 0; i < count && i < MAX_SYMBOLS; i++) {
		Elf64_Sym symbol;

		memcpy(&symbol, bytes + i * sizeof(symbol), sizeof(symbol));
		if (!names_routine(table->object, &symbol) || symbol.st_name >= text_size ||
		    (section->type == SHT_SYMTAB && cfi_starts_at(table, symbol.st_value)))
			continue;
		GROW(routines->symbols, routines->symbol_count + 1, routines->symbol_alloc);
		routines->symbols[routines->symbol_count++] =
			(struct symbol){ symbol.st_value, symbol.st_size, text + symbol.st_name };
	}
}

/* By start, larger ones first. */
static int compare_symbols(const void *a, const void *b)
{
	const struct symbol *first = a, *second = b;

	if (first->start != second->start)
		return first->start < second->start ? -1 : 1;
	return (first->size < second->size) - (first->size > second->size);
}

/* Read the symbol tables, once. */
static void need_symbols(struct cfi_table *table)
{
	struct routine_table *routines = routines_of(table);
	struct object_section section;

	if (routines->symbols_read)
		return;
	routines->symbols_read = true;
	for (unsigned i = 1; object_section_at(table->object, i, &section); i++)
		if (section.type == SHT_DYNSYM || section.type == SHT_SYMTAB)
			read_symbols(table, &section);
	if (routines->symbol_count)
		qsort(routines->symbols, routines->symbol_count, sizeof(*routines->symbols),
		      compare_symbols);
}

/* How many symbols start at or before address. */
static size_t symbols_behind(const struct routine_table *routines, uint64_t address)
{
	size_t low = 0, high = routines->symbol_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (routines->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool routine_find(struct cfi_table *table, uint64_t address, struct routine *routine)
{
	struct routine_table *routines;
	const struct symbol *symbol;
	uint64_t low, high;
	size_t at;

	need_symbols(table);
	routines = table->routines;
	at = symbols_behind(routines, address);
	if (at == 0)
		return false;
	cfi_gap(table, address, &low, &high);
	symbol = &routines->symbols[at - 1];
	if (at < routines->symbol_count && routines->symbols[at].start < high)
		high = routines->symbols[at].start;
	if (symbol->start < low || (symbol->size && address - symbol->start >= symbol->size))
		return false;
	routine->start = symbol->start;
	routine->end = high;
	return true;
}

bool routine_is_named(struct cfi_table *table, uint64_t address, const char *name)
{
	size_t at;

	need_symbols(table);
	for (at = symbols_behind(table->routines, address);
	     at > 0 && table->routines->symbols[at - 1].start == address; at--)
		if (strcmp(table->routines->symbols[at - 1].name, name) == 0)
			return true;
	return false;
}

/* The rows of a routine; its code is read when it is first asked for. */
static const struct analysed *analysed_of(struct cfi_table *table, const struct routine *routine)
{
	struct routine_table *routines = routines_of(table);
	struct analysed rows = { 0, 0 };
	uint64_t number;

	if (!idmap_get(&routines->by_start, routine->start, &number)) {
		routine_analyse(table, routine, &rows.first_row, &rows.row_count);
		number = routines->analysed_count;
		GROW(routines->analysed, routines->analysed_count + 1, routines->analysed_alloc);
		routines->analysed[routines->analysed_count++] = rows;
		idmap_put(&routines->by_start, routine->start, number);
	}
	return &routines->analysed[number];
}

const struct cfi_row *routine_row(struct cfi_table *table, const struct routine *routine,
				  uint64_t address)
{
	const struct analysed *rows = analysed_of(table, routine);
	uint32_t low = rows->first_row, high = rows->first_row + rows->row_count;

	if (low == high || address < table->rows[low].start)
		return NULL;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (table->rows[middle].start <= address)
			low = middle;
		else
			high = middle;
	}
	return table->rows[low].rule_count == 0 ? NULL : &table->rows[low];
}

/* Take the slots over from one table of relocations. */
static void read_slots(struct cfi_table *table, const struct object_section *section)
{
	struct routine_table *routines = table->routines;
	const unsigned char *bytes = object_section_bytes(table->object, section), *symbols = NULL;
	uint64_t text_size = 0, symbol_count = 0;
	struct object_section linked;
	const char *text = NULL;

	if (object_section_at(table->object, section->link, &linked) && linked.type == SHT_DYNSYM) {
		symbols = object_section_bytes(table->object, &linked);
		symbol_count = linked.size / sizeof(Elf64_Sym);
		text = string_table(table->object, linked.link, &text_size);
	}
	for (uint64_t i = 0; bytes && i < section->size / sizeof(Elf64_Rela); i++) {
		struct routine_slot slot = { 0, 0, NULL };
		Elf64_Rela relocation;
		Elf64_Sym symbol;
		uint64_t type, number;

		memcpy(&relocation, bytes + i * sizeof(relocation), sizeof(relocation));
		type = ELF64_R_TYPE(relocation.r_info);
		number = ELF64_R_SYM(relocation.r_info);
		slot.slot = relocation.r_offset;
		if (type == R_X86_64_RELATIVE &&
		    is_code(table->object, (uint64_t)relocation.r_addend)) {
			slot.target = (uint64_t)relocation.r_addend;
		} else if ((type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT) && symbols &&
			   text && number < symbol_count) {
			memcpy(&symbol, symbols + number * sizeof(symbol), sizeof(symbol));
			if (symbol.st_name >= text_size)
				continue;
			slot.name = text + symbol.st_name;
		} else {
			continue;
		}
		GROW(routines->slots, routines->slot_count + 1, routines->slot_alloc);
		routines->slots[routines->slot_count++] = slot;
	}
}

/* By slot. */
static int compare_slots(const void *a, const void *b)
{
	const struct routine_slot *first = a, *second = b;

	return (first->slot > second->slot) - (first->slot < second->slot);
}

const struct routine_slot *routine_slot_at(struct cfi_table *table, uint64_t slot)
{
	struct routine_table *routines = routines_of(table);
	struct routine_slot key = { slot, 0, NULL };
	struct object_section section;

	if (!routines->slots_read) {
		routines->slots_read = true;
		for (unsigned i = 1; object_section_at(table->object, i, &section); i++)
			if (section.type == SHT_RELA)
				read_slots(table, &section);
		if (routines->slot_count)
			qsort(routines->slots, routines->slot_count, sizeof(*routines->slots),
			      compare_slots);
	}
	return routines->slot_count ? bsearch(&key, routines->slots, routines->slot_count,
					      sizeof(*routines->slots), compare_slots)
				    : NULL;
}
