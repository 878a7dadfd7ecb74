/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of ELF files. */
#include "common/compat.h"
#include "program/objects/object.h"

#include <elf.h>

bool object_section_at(struct object *object, unsigned number, struct object_section *section)
{
	const unsigned char *start, *table, *text;
	Elf64_Ehdr header;
	Elf64_Shdr raw, names;

	if (!object_headers(object) || object->elf_class != 64 || object->image_is_memory)
		return false;
	start = object_part(object, 0, sizeof(header));
	if (!start)
		return false;
	memcpy(&header, start, sizeof(header));
	if (header.e_shentsize != sizeof(raw) || header.e_shstrndx >= header.e_shnum ||
	    number >= header.e_shnum)
		return false;
	table = object_part(object, header.e_shoff, (uint64_t)header.e_shnum * sizeof(raw));
	if (!table)
		return false;
	memcpy(&raw, table + number * sizeof(raw), sizeof(raw));
	memcpy(&names, table + header.e_shstrndx * sizeof(names), sizeof(names));
	text = object_part(object, names.sh_offset, names.sh_size);
	*section = (struct object_section){ raw.sh_type,   raw.sh_link, raw.sh_flags,	raw.sh_addr,
					    raw.sh_offset, raw.sh_size, raw.sh_entsize, "" };
	if (text && raw.sh_name < names.sh_size && text[names.sh_size - 1] == '\0')
		section->name = (const char *)text + raw.sh_name;
	return true;
}

bool object_section_named(struct object *object, const char *name, struct object_section *section)
{
	for (unsigned i = 1; object_section_at(object, i, section); i++)
		if (strcmp(section->name, name) == 0)
			return true;
	return false;
}

const unsigned char *object_section_bytes(struct object *object,
					  const struct object_section *section)
{
	if (section->type == SHT_NOBITS || (section->flags & SHF_COMPRESSED) || section->size == 0)
		return NULL;
	return object_part(object, section->position, section->size);
}
