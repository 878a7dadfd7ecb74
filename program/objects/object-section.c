/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of ELF files of either class. */
#include "common/compat.h"
#include "program/objects/object.h"

#include <elf.h>

/* Location of the section headers. */
struct section_table {
	const unsigned char *bytes;
	unsigned count, names; /* names: number of the section with the section names */
};

/* Finds the section headers; returns false if there are none or their size is unexpected. */
static bool find_table(struct object *object, struct section_table *table)
{
	bool wide = object->elf_class == 64;
	const unsigned char *start =
		object_part(object, 0, wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr));
	size_t size = wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	uint64_t position;
	Elf64_Ehdr header;
	Elf32_Ehdr narrow;

	RETURN_IF(!start, false);
	if (wide) {
		memcpy(&header, start, sizeof(header));
		RETURN_IF(header.e_shentsize != size, false);
		position = header.e_shoff;
		table->count = header.e_shnum;
		table->names = header.e_shstrndx;
	} else {
		memcpy(&narrow, start, sizeof(narrow));
		RETURN_IF(narrow.e_shentsize != size, false);
		position = narrow.e_shoff;
		table->count = narrow.e_shnum;
		table->names = narrow.e_shstrndx;
	}
	RETURN_IF(table->names >= table->count, false);
	table->bytes = object_part(object, position, table->count * size);
	return table->bytes != NULL;
}

/* Reads a section header; returns the offset of its name among the section names. */
static uint32_t read_section(const struct object *object, const struct section_table *table,
			     unsigned number, struct object_section *section)
{
	Elf64_Shdr raw;
	Elf32_Shdr narrow;

	if (object->elf_class == 64) {
		memcpy(&raw, table->bytes + number * sizeof(raw), sizeof(raw));
		*section = (struct object_section){ raw.sh_type,    raw.sh_link,
						    raw.sh_flags,   raw.sh_addr,
						    raw.sh_offset,  raw.sh_size,
						    raw.sh_entsize, "" };
		return raw.sh_name;
	}
	memcpy(&narrow, table->bytes + number * sizeof(narrow), sizeof(narrow));
	*section = (struct object_section){ narrow.sh_type,    narrow.sh_link,
					    narrow.sh_flags,   narrow.sh_addr,
					    narrow.sh_offset,  narrow.sh_size,
					    narrow.sh_entsize, "" };
	return narrow.sh_name;
}

bool object_section_at(struct object *object, unsigned number, struct object_section *section)
{
	struct object_section names;
	struct section_table table;
	const unsigned char *text;
	uint32_t name;

	/* A debug file may have sections but no segments. */
	object_headers(object);
	if (!object->elf_class || object->image_is_memory || !find_table(object, &table) ||
	    number >= table.count)
		return false;
	read_section(object, &table, table.names, &names);
	name = read_section(object, &table, number, section);
	text = object_part(object, names.position, names.size);
	if (text && name < names.size && text[names.size - 1] == '\0')
		section->name = (const char *)text + name;
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
