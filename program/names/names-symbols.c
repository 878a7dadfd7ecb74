/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of symbols, and how they are filled from an ELF file. */
#include "common/compat.h"
#include "program/names/names-symbols.h"
#include "common/xalloc.h"

#include <gelf.h>

/* A symbol with a larger size than this is taken for damaged. */
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

/* The end of the executable section index, or 0 when it holds no instructions. */
static uint64_t code_section_end(Elf *elf, size_t index)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_getscn(elf, index);

	if (!section || !gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR))
		return 0;
	return header.sh_addr + header.sh_size;
}

/* The name assemblers and compilers give to places inside a routine. */
static bool is_local_label(const char *name)
{
	return name[0] == '.' || name[0] == '$' || (name[0] == 'L' && name[1] == '0');
}

/* How much a symbol is worth beside others at its address. */
static enum symbol_rank symbol_rank(const GElf_Sym *elf_symbol, const char *name)
{
	if (GELF_ST_TYPE(elf_symbol->st_info) == STT_NOTYPE && !elf_symbol->st_size)
		return is_local_label(name) ? SYMBOL_LOCAL_LABEL : SYMBOL_LABEL;
	switch (GELF_ST_BIND(elf_symbol->st_info)) {
	case STB_LOCAL:
		return SYMBOL_LOCAL;
	case STB_WEAK:
		return SYMBOL_WEAK;
	default:
		return SYMBOL_GLOBAL;
	}
}

/* Whether a symbol can be the name of instructions. */
static bool is_code_symbol(const GElf_Sym *elf_symbol, const char *name)
{
	int type = GELF_ST_TYPE(elf_symbol->st_info);

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return false;
	return name && name[0] && elf_symbol->st_shndx != SHN_UNDEF &&
	       elf_symbol->st_size < SYMBOL_MAX_SIZE;
}

/* Add one symbol of a table when it names instructions that end before limit at most. */
static void add_code_symbol(struct symbol_table *table, const GElf_Sym *elf_symbol,
			    const char *name, uint64_t limit)
{
	struct symbol symbol = {
		.start = elf_symbol->st_value,
		.size = elf_symbol->st_size,
		.sized = elf_symbol->st_size != 0,
		.limit = limit,
		.name = name,
		.section = "",
		.rank = symbol_rank(elf_symbol, name),
	};

	if (symbol.rank != SYMBOL_LOCAL_LABEL && symbol.start < limit)
		symbol_table_add(table, &symbol);
}

/* Add the functions of one symbol table section. */
static void add_symbol_section(struct symbol_table *table, Elf *elf, Elf_Scn *section,
			       const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count, last_index = 0;
	uint64_t end = 0;

	if (!data || !header->sh_entsize)
		return;
	count = data->d_size / header->sh_entsize;
	for (size_t i = 1; i < count && i < INT_MAX; i++) {
		GElf_Sym elf_symbol;
		const char *name;

		if (!gelf_getsym(data, (int)i, &elf_symbol))
			return;
		name = elf_strptr(elf, header->sh_link, elf_symbol.st_name);
		if (!is_code_symbol(&elf_symbol, name) || elf_symbol.st_shndx >= SHN_LORESERVE)
			continue;
		if (elf_symbol.st_shndx != last_index) {
			last_index = elf_symbol.st_shndx;
			end = code_section_end(elf, last_index);
		}
		if (end)
			add_code_symbol(table, &elf_symbol, name, end);
	}
}

void symbol_table_add_elf(struct symbol_table *table, Elf *elf)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			add_symbol_section(table, elf, section, &header);
	}
}

/* What the dynamic segment says about the symbol table, as positions in the image. */
struct dynamic_tables {
	uint64_t symbols, strings, strings_size;
};

/* The lowest address of the loaded segments: position 0 of the image. */
static uint64_t lowest_address(Elf *elf, size_t count)
{
	uint64_t lowest = UINT64_MAX;

	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    header.p_vaddr < lowest)
			lowest = header.p_vaddr & ~UINT64_C(4095);
	}
	return lowest == UINT64_MAX ? 0 : lowest;
}

/* Read the dynamic segment; the loader may have added the load address to the pointers in it. */
static void read_dynamic(const unsigned char *image, size_t image_size, uint64_t position,
			 uint64_t size, struct dynamic_tables *tables)
{
	RETURN_IF(position > image_size || size > image_size - position, );
	for (uint64_t at = position; at + sizeof(Elf64_Dyn) <= position + size;
	     at += sizeof(Elf64_Dyn)) {
		Elf64_Dyn entry;

		memcpy(&entry, image + at, sizeof(entry));
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

/* Whether the tables lie in the image once base is taken off, and look like themselves. */
static bool tables_fit(const struct dynamic_tables *tables, uint64_t base,
		       const unsigned char *image, size_t image_size)
{
	static const unsigned char empty[sizeof(Elf64_Sym)];
	uint64_t symbols = tables->symbols - base, strings = tables->strings - base;

	if (strings > image_size || tables->strings_size > image_size - strings ||
	    symbols >= strings || strings - symbols < sizeof(empty))
		return false;
	return !image[strings] && !image[strings + tables->strings_size - 1] &&
	       !memcmp(image + symbols, empty, sizeof(empty));
}

/* Turn the pointers into positions; the load address is found by trying each page. */
static bool locate_tables(struct dynamic_tables *tables, uint64_t lowest,
			  const unsigned char *image, size_t image_size)
{
	uint64_t base = lowest;

	if (!tables->strings_size || tables->strings <= tables->symbols)
		return false;
	if (!tables_fit(tables, base, image, image_size)) {
		base = tables->symbols & ~UINT64_C(4095);
		for (size_t at = 0; at < image_size; at += 4096, base -= 4096)
			if (tables_fit(tables, base, image, image_size))
				break;
		if (!tables_fit(tables, base, image, image_size))
			return false;
	}
	tables->symbols -= base;
	tables->strings -= base;
	return true;
}

/* Add the functions among the symbols; their table ends where the strings begin, as linkers do it.
 */
static void add_dynamic_symbols(struct symbol_table *table, const struct dynamic_tables *tables,
				const unsigned char *image, uint64_t limit)
{
	const char *strings = (const char *)image + tables->strings;

	for (uint64_t at = tables->symbols; at + sizeof(Elf64_Sym) <= tables->strings;
	     at += sizeof(Elf64_Sym)) {
		GElf_Sym symbol;

		memcpy(&symbol, image + at, sizeof(symbol));
		if (symbol.st_name < tables->strings_size &&
		    is_code_symbol(&symbol, strings + symbol.st_name))
			add_code_symbol(table, &symbol, strings + symbol.st_name, limit);
	}
}

void symbol_table_add_dynamic(struct symbol_table *table, Elf *elf, const unsigned char *image,
			      size_t image_size)
{
	struct dynamic_tables tables = { 0 };
	size_t count = 0;
	uint64_t lowest;

	if (gelf_getclass(elf) != ELFCLASS64 || elf_getphdrnum(elf, &count))
		return;
	lowest = lowest_address(elf, count);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;

		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_DYNAMIC)
			read_dynamic(image, image_size, header.p_vaddr - lowest, header.p_memsz,
				     &tables);
	}
	if (locate_tables(&tables, lowest, image, image_size))
		add_dynamic_symbols(table, &tables, image, lowest + image_size);
}

/* By address; at one address the best first. */
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
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->items[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low, steps = 0; i-- > 0 && steps < 64; steps++) {
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

bool symbol_table_has(const struct symbol_table *table, const char *name, size_t length)
{
	for (size_t i = 0; i < table->count; i++)
		if (!strncmp(table->items[i].name, name, length) && !table->items[i].name[length])
			return true;
	return false;
}
