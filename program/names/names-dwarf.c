/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the compilation unit of an address; the unit does the rest. */
#include "common/compat.h"
#include "program/names/names-dwarf.h"
#include "common/xalloc.h"
#include "program/names/unit-names.h"

#include <dwarf.h>
#include <gelf.h>

/* A section that claims to be larger than this unpacked is not unpacked. */
#define MAX_UNPACKED (UINT64_C(4) << 30)
#define MAX_UNITS 1000000

struct dwarf_names {
	Dwarf *dwarf;
	struct name_texts *texts;
	struct unit_names *units;
	size_t count, alloc;
	struct range_list ranges;
};

/* Whether the file has debug information and claims nothing impossible about it. */
static bool has_information(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names_index;
	bool found = false;

	if (elf_getshdrstrndx(elf, &names_index))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		GElf_Chdr packed;
		const char *name;

		if (!gelf_getshdr(section, &header))
			return false;
		if ((header.sh_flags & SHF_COMPRESSED) &&
		    (!gelf_getchdr(section, &packed) || packed.ch_size > MAX_UNPACKED))
			return false;
		name = elf_strptr(elf, names_index, header.sh_name);
		if (name && header.sh_type != SHT_NOBITS &&
		    (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
			found = true;
	}
	return found;
}

/* List the units and the addresses each covers. */
static void load_units(struct dwarf_names *names)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	while (names->count < MAX_UNITS &&
	       !dwarf_get_units(names->dwarf, cu, &cu, NULL, &type, &die, &split)) {
		Dwarf_Die *whole = type == DW_UT_skeleton && split.addr ? &split : &die;

		if (type != DW_UT_compile && type != DW_UT_skeleton)
			continue;
		GROW(names->units, names->count + 1, names->alloc);
		unit_names_init(&names->units[names->count], whole, &die, names->texts);
		range_list_add_die(&names->ranges, &die, (uint32_t)names->count);
		names->count++;
	}
	range_list_sort(&names->ranges);
}

struct dwarf_names *dwarf_names_new(Elf *elf, struct name_texts *texts)
{
	struct dwarf_names *names;
	Dwarf *dwarf;

	if (!has_information(elf))
		return NULL;
	dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!dwarf)
		return NULL;
	names = xcalloc(1, sizeof(*names));
	names->dwarf = dwarf;
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
	dwarf_end(names->dwarf);
	free(names);
}

size_t dwarf_names_resolve(struct dwarf_names *names, uint64_t address,
			   struct name levels[NAMES_MAX_INLINE])
{
	const struct code_range *range = range_list_find(&names->ranges, address);

	return range ? unit_names_resolve(&names->units[range->owner], address, levels) : 0;
}
