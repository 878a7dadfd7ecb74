/* SPDX-License-Identifier: Apache-2.0 */
/* Finds sections of an ELF file. */
#include "common/compat.h"
#include "program/names/elf-section.h"

#include <gelf.h>

Elf_Scn *elf_section_named(Elf *elf, const char *name)
{
	Elf_Scn *section = NULL;
	size_t names_index;

	if (elf_getshdrstrndx(elf, &names_index))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *found;

		if (gelf_getshdr(section, &header) && header.sh_type != SHT_NOBITS &&
		    (found = elf_strptr(elf, names_index, header.sh_name)) && !strcmp(found, name))
			return section;
	}
	return NULL;
}
