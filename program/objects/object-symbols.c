/* SPDX-License-Identifier: Apache-2.0 */
/* Reads symbol tables and relocations of ELF files. */
#include "common/compat.h"
#include "program/objects/object-symbols.h"

#include <elf.h>

#define PAGE UINT64_C(4096)

/* Returns the string table in section number; NULL unless it ends with NUL. */
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

/* Returns the size of a symbol in the object's class. */
static size_t symbol_size(const struct object *object)
{
	return object->elf_class == 64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

/* Reads a symbol of the file and converts it to the 64-bit form. */
static Elf64_Sym read_symbol(const struct object *object, const unsigned char *at)
{
	Elf64_Sym symbol;
	Elf32_Sym narrow;

	if (object->elf_class == 64) {
		memcpy(&symbol, at, sizeof(symbol));
		return symbol;
	}
	memcpy(&narrow, at, sizeof(narrow));
	return (Elf64_Sym){ .st_name = narrow.st_name,
			    .st_info = narrow.st_info,
			    .st_other = narrow.st_other,
			    .st_shndx = narrow.st_shndx,
			    .st_value = narrow.st_value,
			    .st_size = narrow.st_size };
}

/* Enters a section; returns false if it is not a readable symbol table. */
static bool enter_section(struct object_symbols *symbols, const struct object_section *section)
{
	if ((section->type != SHT_SYMTAB && section->type != SHT_DYNSYM) ||
	    section->size > symbols->largest)
		return false;
	symbols->at = object_section_bytes(symbols->object, section);
	symbols->names = string_table(symbols->object, section->link, &symbols->names_size);
	symbols->dynamic = section->type == SHT_DYNSYM;
	symbols->left = section->size / symbol_size(symbols->object);
	if (!symbols->at || !symbols->names)
		symbols->left = 0;
	return symbols->left > 0;
}

/*
 * Locations of the symbol table from the dynamic segment; first addresses, then
 * offsets in the image.
 */
struct dynamic_tables {
	uint64_t symbols, strings, strings_size;
};

/* Reads the dynamic segment; the loader may have added the load address to its pointers. */
static void read_dynamic(struct object *object, const struct object_segment *segment,
			 struct dynamic_tables *tables)
{
	const unsigned char *bytes = object_bytes(object, segment->address, segment->memory_size);
	uint64_t count = segment->memory_size / sizeof(Elf64_Dyn);

	for (uint64_t i = 0; bytes && i < count; i++) {
		Elf64_Dyn entry;

		memcpy(&entry, bytes + i * sizeof(entry), sizeof(entry));
		switch (entry.d_tag) {
		case DT_NULL:
			return;
		case DT_SYMTAB:
			tables->symbols = entry.d_un.d_ptr;
			break;
		case DT_STRTAB:
			tables->strings = entry.d_un.d_ptr;
			break;
		case DT_STRSZ:
			tables->strings_size = entry.d_un.d_val;
			break;
		default:
			break;
		}
	}
}

/* Returns whether the tables are in the image after base is subtracted, and look plausible. */
static bool tables_fit(const struct object *object, const struct dynamic_tables *tables,
		       uint64_t base)
{
	static const unsigned char empty[sizeof(Elf64_Sym)];
	uint64_t symbols = tables->symbols - base, strings = tables->strings - base;
	const unsigned char *image = object->image;

	if (strings > object->image_size || tables->strings_size > object->image_size - strings ||
	    symbols >= strings || strings - symbols < sizeof(empty))
		return false;
	return !image[strings] && !image[strings + tables->strings_size - 1] &&
	       !memcmp(image + symbols, empty, sizeof(empty));
}

/* Converts the addresses to offsets; the load address is found by trying each page. */
static bool locate_tables(const struct object *object, struct dynamic_tables *tables)
{
	uint64_t base = object->lowest_address;

	if (!tables->strings_size || tables->strings <= tables->symbols)
		return false;
	if (!tables_fit(object, tables, base)) {
		base = tables->symbols & ~(PAGE - 1);
		for (size_t at = 0; at < object->image_size; at += PAGE, base -= PAGE)
			if (tables_fit(object, tables, base))
				break;
		if (!tables_fit(object, tables, base))
			return false;
	}
	tables->symbols -= base;
	tables->strings -= base;
	return true;
}

/*
 * Enters the symbol table found through the dynamic segments of an image from
 * memory. It ends where the strings begin, because linkers lay them out so.
 */
static void enter_dynamic(struct object_symbols *symbols)
{
	struct object *object = symbols->object;
	struct dynamic_tables tables = { 0 };

	for (size_t i = 0; i < object->segment_count; i++)
		if (object->segments[i].type == PT_DYNAMIC)
			read_dynamic(object, &object->segments[i], &tables);
	if (!locate_tables(object, &tables))
		return;
	symbols->dynamic = true;
	symbols->at = object->image + tables.symbols;
	symbols->left = (tables.strings - tables.symbols) / sizeof(Elf64_Sym);
	symbols->names = (const char *)object->image + tables.strings;
	symbols->names_size = tables.strings_size;
}

void object_symbols_begin(struct object_symbols *symbols, struct object *object)
{
	memset(symbols, 0, sizeof(*symbols));
	symbols->object = object;
	symbols->largest = UINT64_MAX;
	symbols->next = 1;
	if (object_headers(object) && object->image_is_memory && object->elf_class == 64)
		enter_dynamic(symbols);
}

/*
 * Reads the next entry of the current table; returns false if it does not name
 * anything in the object.
 */
static bool take_entry(struct object_symbols *symbols, struct object_symbol *symbol)
{
	Elf64_Sym raw = read_symbol(symbols->object, symbols->at);

	symbols->at += symbol_size(symbols->object);
	symbols->left--;
	if (raw.st_shndx == SHN_UNDEF || raw.st_shndx >= SHN_LORESERVE ||
	    raw.st_name >= symbols->names_size || !symbols->names[raw.st_name])
		return false;
	*symbol = (struct object_symbol){
		.name = symbols->names + raw.st_name,
		.address = raw.st_value,
		.size = raw.st_size,
		.section = raw.st_shndx,
		.type = ELF64_ST_TYPE(raw.st_info),
		.binding = ELF64_ST_BIND(raw.st_info),
		.dynamic = symbols->dynamic,
	};
	return true;
}

bool object_symbols_next(struct object_symbols *symbols, struct object_symbol *symbol)
{
	struct object_section section;

	for (;;) {
		while (symbols->left > 0)
			if (take_entry(symbols, symbol))
				return true;
		do {
			if (!object_section_at(symbols->object, symbols->next++, &section))
				return false;
		} while (!enter_section(symbols, &section));
	}
}

void object_relocations_begin(struct object_relocations *relocations, struct object *object)
{
	memset(relocations, 0, sizeof(*relocations));
	relocations->object = object;
	relocations->next = 1;
}

/* Enters a section; returns false if it contains no relocations. */
static bool enter_relocations(struct object_relocations *relocations,
			      const struct object_section *section)
{
	struct object *object = relocations->object;
	struct object_section linked;

	if (section->type != SHT_RELA || object->elf_class != 64)
		return false;
	relocations->at = object_section_bytes(object, section);
	relocations->left = relocations->at ? section->size / sizeof(Elf64_Rela) : 0;
	relocations->symbols = NULL;
	if (object_section_at(object, section->link, &linked) && linked.type == SHT_DYNSYM) {
		relocations->symbols = object_section_bytes(object, &linked);
		relocations->symbol_count = linked.size / sizeof(Elf64_Sym);
		relocations->names = string_table(object, linked.link, &relocations->names_size);
	}
	return relocations->left > 0;
}

/* Returns the name of a relocation's symbol, or NULL. */
static const char *relocation_name(const struct object_relocations *relocations, uint32_t number)
{
	Elf64_Sym symbol;

	if (!relocations->symbols || !relocations->names || number >= relocations->symbol_count)
		return NULL;
	memcpy(&symbol, relocations->symbols + number * sizeof(symbol), sizeof(symbol));
	return symbol.st_name < relocations->names_size ? relocations->names + symbol.st_name
							: NULL;
}

bool object_relocations_next(struct object_relocations *relocations,
			     struct object_relocation *relocation)
{
	struct object_section section;
	Elf64_Rela raw;

	while (relocations->left == 0)
		do {
			if (!object_section_at(relocations->object, relocations->next++, &section))
				return false;
		} while (!enter_relocations(relocations, &section));
	memcpy(&raw, relocations->at, sizeof(raw));
	relocations->at += sizeof(raw);
	relocations->left--;
	*relocation = (struct object_relocation){
		.address = raw.r_offset,
		.addend = (uint64_t)raw.r_addend,
		.type = (uint32_t)ELF64_R_TYPE(raw.r_info),
		.symbol = (uint32_t)ELF64_R_SYM(raw.r_info),
	};
	relocation->name = relocation_name(relocations, relocation->symbol);
	return true;
}
