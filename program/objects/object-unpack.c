/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses sections of ELF files, using libelf. */
#include "common/compat.h"
#include "program/objects/object.h"
#include "common/xalloc.h"

#include <gelf.h>

/* A section that claims to be larger is not decompressed. */
#define LARGEST (UINT64_C(1) << 30)

/* Reads the header and name of a section; returns false if they are not readable. */
static bool read_header(Elf *elf, Elf_Scn *section, GElf_Shdr *header, const char **name)
{
	size_t names;

	return elf_getshdrstrndx(elf, &names) == 0 && gelf_getshdr(section, header) &&
	       (*name = elf_strptr(elf, names, header->sh_name)) != NULL;
}

/* Decompresses a section in place; returns false if it is not compressed, or damaged. */
static bool unpack(Elf_Scn *section, const GElf_Shdr *header, const char *name)
{
	GElf_Chdr packed;

	if (header->sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(section, &packed) && packed.ch_size <= LARGEST &&
		       elf_compress(section, 0, 0) >= 0;
	/* The older GNU format, without a flag. */
	return strncmp(name, ".zdebug", 7) == 0 && elf_compress_gnu(section, 0, 0) >= 0;
}

/* Returns a decompressed copy of a section's content. */
static unsigned char *copy_unpacked(Elf *elf, const char *wanted, size_t *size)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;
	unsigned char *copy;
	const char *name;

	while ((section = elf_nextscn(elf, section)))
		if (read_header(elf, section, &header, &name) && strcmp(name, wanted) == 0)
			break;
	if (!section || !unpack(section, &header, name))
		return NULL;
	data = elf_rawdata(section, NULL);
	if (!data || !data->d_buf || !data->d_size)
		return NULL;
	copy = xcalloc(1, data->d_size);
	memcpy(copy, data->d_buf, data->d_size);
	*size = data->d_size;
	return copy;
}

unsigned char *object_section_unpacked(const struct object *object, const char *name, size_t *size)
{
	unsigned char *copy;
	Elf *elf;

	if (object->fd < 0 || elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	elf = elf_begin(object->fd, ELF_C_READ, NULL);
	copy = elf ? copy_unpacked(elf, name, size) : NULL;
	elf_end(elf);
	return copy;
}
