/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PLT stubs: each jumps through a slot of the global offset table, and the
 * relocation of that slot names the function it calls. The slot is read from
 * the stub's instructions, so every linker's layout of the stubs will do.
 */
#include "common/compat.h"
#include "sampler/names-symbols.h"
#include "common/idmap.h"

#include <gelf.h>

/* Slot address -> its relocation's symbol; kept as the name's address. */
struct slot_names {
	struct idmap names;
};

/* Remember the symbol of each relocation in one section. */
static void read_relocations(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
			     struct slot_names *slots)
{
	Elf_Data *data = elf_getdata(section, NULL), *symbols;
	Elf_Scn *symbol_section = elf_getscn(elf, header->sh_link);
	GElf_Shdr symbol_header;

	if (!data || !header->sh_entsize || !symbol_section ||
	    !gelf_getshdr(symbol_section, &symbol_header) || symbol_header.sh_type != SHT_DYNSYM ||
	    !(symbols = elf_getdata(symbol_section, NULL)))
		return;
	for (size_t i = 0; i < data->d_size / header->sh_entsize && i < INT_MAX; i++) {
		GElf_Rela relocation;
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getrela(data, (int)i, &relocation))
			return;
		if (!GELF_R_SYM(relocation.r_info) || GELF_R_SYM(relocation.r_info) > INT_MAX ||
		    !gelf_getsym(symbols, (int)GELF_R_SYM(relocation.r_info), &symbol))
			continue;
		name = elf_strptr(elf, symbol_header.sh_link, symbol.st_name);
		if (name && name[0])
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

/* The slot an aarch64 stub (adrp x16; ldr x17, [x16, #n]) jumps through. */
static bool aarch64_slot(const unsigned char *code, size_t size, uint64_t address, uint64_t *slot)
{
	uint32_t words[3];
	const uint32_t *word = words;
	uint64_t page;

	if (size < sizeof(words))
		return false;
	memcpy(words, code, sizeof(words));
	if (*word == 0xd503245f) { /* bti c */
		word++;
		address += 4;
	}
	if ((word[0] & 0x9f00001f) != 0x90000010 || (word[1] & 0xffc003ff) != 0xf9400211)
		return false;
	page = ((uint64_t)(word[0] >> 5 & 0x7ffff) << 2 | (word[0] >> 29 & 3)) << 12;
	page = (uint64_t)((int64_t)(page << 31) >> 31);
	*slot = (address & ~UINT64_C(4095)) + page + (uint64_t)(word[1] >> 10 & 0xfff) * 8;
	return true;
}

/* The slot a stub jumps through, by processor. */
static bool stub_slot(unsigned machine, const unsigned char *code, size_t size, uint64_t address,
		      uint64_t *slot)
{
	switch (machine) {
	case EM_X86_64:
		return x86_slot(code, size, address, slot);
	case EM_AARCH64:
		return aarch64_slot(code, size, address, slot);
	default:
		return false;
	}
}

/* Add the stubs of one section. */
static void add_stubs(struct symbol_table *table, unsigned machine, Elf_Scn *section,
		      const GElf_Shdr *header, const struct slot_names *slots)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t step = header->sh_entsize == 8 ? 8 : machine == EM_X86_64 ? 16 : 4, last = SIZE_MAX;

	if (!data || !data->d_buf)
		return;
	for (size_t at = 0; at < data->d_size; at += step) {
		struct symbol symbol = { .start = header->sh_addr + at,
					 .section = "",
					 .plt = true,
					 .sized = true,
					 .rank = SYMBOL_GLOBAL,
					 .size = machine == EM_X86_64 ? step : 16 };
		uint64_t slot, name;

		if (last != SIZE_MAX && at < last + symbol.size)
			continue;
		if (!stub_slot(machine, (unsigned char *)data->d_buf + at, data->d_size - at,
			       symbol.start, &slot) ||
		    !idmap_get(&slots->names, slot, &name))
			continue;
		last = at;
		symbol.name = (const char *)(uintptr_t)name;
		symbol_table_add(table, &symbol);
	}
}

void symbol_table_add_plt(struct symbol_table *table, Elf *elf)
{
	struct slot_names slots;
	Elf_Scn *section = NULL;
	GElf_Ehdr file;
	GElf_Shdr header;
	size_t names_index;

	if (!gelf_getehdr(elf, &file) || elf_getshdrstrndx(elf, &names_index))
		return;
	idmap_init(&slots.names);
	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA)
			read_relocations(elf, section, &header, &slots);
	while ((section = elf_nextscn(elf, section))) {
		const char *name;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
		    !(name = elf_strptr(elf, names_index, header.sh_name)))
			continue;
		if (!strcmp(name, ".plt") || !strcmp(name, ".plt.sec") || !strcmp(name, ".plt.got"))
			add_stubs(table, file.e_machine, section, &header, &slots);
	}
	idmap_release(&slots.names);
}
