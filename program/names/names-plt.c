/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PLT stubs: each jumps through a slot of the global offset table, and the
 * relocation of that slot names the function it calls. The slot is read from
 * the stub's instructions, so every linker's layout of the stubs will do.
 * Stubs of x86-64 only: those of other processors are not named yet.
 */
#include "common/compat.h"
#include "program/names/names-symbols.h"
#include "common/idmap.h"

#include <gelf.h>

/* Slot address -> its relocation's symbol; kept as the name's address. */
struct slot_names {
	struct idmap names;
};

/* Whether a relocation of this type fills a slot that stubs jump through. */
static bool is_jump(uint64_t type)
{
	return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
	       type == R_X86_64_IRELATIVE;
}

/* Whether a name has fewer underscores in front than another, or else is shorter. */
static bool is_plainer(const char *name, const char *other)
{
	size_t before = strspn(name, "_"), other_before = strspn(other, "_");

	return before != other_before ? before < other_before : strlen(name) < strlen(other);
}

/* The name of the function at an address, the plainest of several; NULL when there is none. */
static const char *name_at(const struct symbol_table *table, uint64_t address)
{
	const char *best = NULL;

	for (size_t i = 0; i < table->count; i++)
		if (table->items[i].start == address &&
		    (!best || is_plainer(table->items[i].name, best)))
			best = table->items[i].name;
	return best;
}

/*
 * The name a relocation gives its slot: that of its symbol, or of the
 * function that chooses the implementation (IFUNC) when it has none.
 */
static const char *relocation_name(const struct symbol_table *table, Elf *elf, Elf_Data *symbols,
				   size_t strings, const GElf_Rela *relocation)
{
	GElf_Sym symbol;

	if (!GELF_R_SYM(relocation->r_info))
		return relocation->r_addend > 0 ? name_at(table, (uint64_t)relocation->r_addend)
						: NULL;
	if (!symbols || GELF_R_SYM(relocation->r_info) > INT_MAX ||
	    !gelf_getsym(symbols, (int)GELF_R_SYM(relocation->r_info), &symbol))
		return NULL;
	return elf_strptr(elf, strings, symbol.st_name);
}

/* Remember the name of each relocation of a jump in one section. */
static void read_relocations(const struct symbol_table *table, Elf *elf, Elf_Scn *section,
			     const GElf_Shdr *header, struct slot_names *slots)
{
	Elf_Data *data = elf_getdata(section, NULL), *symbols = NULL;
	Elf_Scn *symbol_section = elf_getscn(elf, header->sh_link);
	GElf_Shdr symbol_header = { .sh_link = 0 };

	if (!data || !header->sh_entsize)
		return;
	if (symbol_section && gelf_getshdr(symbol_section, &symbol_header) &&
	    symbol_header.sh_type == SHT_DYNSYM)
		symbols = elf_getdata(symbol_section, NULL);
	for (size_t i = 0; i < data->d_size / header->sh_entsize && i < INT_MAX; i++) {
		GElf_Rela relocation;
		const char *name;

		if (!gelf_getrela(data, (int)i, &relocation))
			return;
		if (is_jump(GELF_R_TYPE(relocation.r_info)) &&
		    (name = relocation_name(table, elf, symbols, symbol_header.sh_link,
					    &relocation)) &&
		    name[0])
			idmap_put(&slots->names, relocation.r_offset, (uintptr_t)name);
	}
}

/* The slot an x86-64 stub jumps through; false when these bytes are not a stub. */
static bool x86_slot(const unsigned char *code, size_t size, uint64_t address, uint64_t *slot)
{
	size_t at = 0;
	int32_t distance;

	if (size >= 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4)) /* endbr64 */
		at = 4;
	if (at < size && code[at] == 0xf2) /* bnd */
		at++;
	if (at + 6 > size || code[at] != 0xff || code[at + 1] != 0x25) /* jmp *distance(%rip) */
		return false;
	memcpy(&distance, code + at + 2, sizeof(distance));
	*slot = address + at + 6 + (uint64_t)(int64_t)distance;
	return true;
}

/* How many bytes an x86-64 stub has: 8 when the next one follows at once, otherwise 16. */
static size_t x86_stub_size(const unsigned char *code, size_t size)
{
	uint64_t slot;

	return size < 16 || x86_slot(code + 8, size - 8, 0, &slot) ? 8 : 16;
}

/* Add the stubs of one section. */
static void add_stubs(struct symbol_table *table, Elf_Scn *section, const GElf_Shdr *header,
		      const struct slot_names *slots)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t at = 0;

	while (data && data->d_buf && at < data->d_size) {
		const unsigned char *code = (unsigned char *)data->d_buf + at;
		struct symbol symbol = { .start = header->sh_addr + at,
					 .section = "",
					 .plt = true,
					 .sized = true,
					 .rank = SYMBOL_GLOBAL,
					 .size = x86_stub_size(code, data->d_size - at) };
		uint64_t slot, name;

		if (!x86_slot(code, data->d_size - at, symbol.start, &slot) ||
		    !idmap_get(&slots->names, slot, &name)) {
			at += 8;
			continue;
		}
		symbol.name = (const char *)(uintptr_t)name;
		symbol_table_add(table, &symbol);
		at += symbol.size;
	}
}

void symbol_table_add_plt(struct symbol_table *table, Elf *elf)
{
	struct slot_names slots;
	Elf_Scn *section = NULL;
	GElf_Ehdr file;
	GElf_Shdr header;
	size_t names_index;

	if (!gelf_getehdr(elf, &file) || file.e_machine != EM_X86_64 ||
	    elf_getshdrstrndx(elf, &names_index))
		return;
	idmap_init(&slots.names);
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA)
			read_relocations(table, elf, section, &header, &slots);
	while ((section = elf_nextscn(elf, section))) {
		const char *name;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
		    !(name = elf_strptr(elf, names_index, header.sh_name)))
			continue;
		if (!strcmp(name, ".plt") || !strcmp(name, ".plt.sec") || !strcmp(name, ".plt.got"))
			add_stubs(table, section, &header, &slots);
	}
	idmap_release(&slots.names);
}
