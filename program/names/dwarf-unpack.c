/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses the debug sections of one file into another. */
#include "common/compat.h"
#include "program/names/dwarf-unpack.h"
#include "common/strbuf.h"

#include <gelf.h>

/* Reads a debug section's header and returns its name; NULL if it is not one. */
static const char *debug_section(Elf *elf, Elf_Scn *section, size_t names, GElf_Shdr *header)
{
	const char *name =
		gelf_getshdr(section, header) ? elf_strptr(elf, names, header->sh_name) : NULL;

	return name && header->sh_type != SHT_NOBITS && !strncmp(name, ".debug_", 7) ? name : NULL;
}

bool dwarf_is_packed(Elf *elf)
{
	Elf_Scn *section = NULL;
	bool packed = false;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name;

		if (debug_section(elf, section, names, &header)) {
			packed |= (header.sh_flags & SHF_COMPRESSED) != 0;
			continue;
		}
		name = elf_strptr(elf, names, header.sh_name);
		if (name && !strcmp(name, ".gnu_debugaltlink"))
			return false;
	}
	return packed;
}

/* Returns the size of a section after decompression. */
static uint64_t size_of(Elf_Scn *section, const GElf_Shdr *header)
{
	GElf_Chdr packed;

	if (!(header->sh_flags & SHF_COMPRESSED))
		return header->sh_size;
	return gelf_getchdr(section, &packed) ? packed.ch_size : UINT64_MAX;
}

/* Adds a section with its content, which is borrowed. */
static bool add_section(Elf *to, uint32_t name, uint32_t type, const GElf_Shdr *like, void *bytes,
			size_t size)
{
	Elf_Scn *section = elf_newscn(to);
	Elf_Data *data = section ? elf_newdata(section) : NULL;
	GElf_Shdr header;

	if (!data || !gelf_getshdr(section, &header))
		return false;
	*data = (Elf_Data){ .d_buf = bytes,
			    .d_size = size,
			    .d_type = ELF_T_BYTE,
			    .d_align = 1,
			    .d_version = EV_CURRENT };
	header.sh_name = name;
	header.sh_type = type;
	header.sh_addralign = 1;
	if (like) {
		header.sh_flags = like->sh_flags & ~(uint64_t)(SHF_COMPRESSED | SHF_ALLOC);
		header.sh_entsize = like->sh_entsize;
	}
	return gelf_update_shdr(section, &header);
}

/* Copies all debug sections; appends their names to texts. */
static bool copy_sections(Elf *elf, Elf *to, struct strbuf *texts, size_t most)
{
	Elf_Scn *section = NULL;
	uint64_t sum = 0;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name = debug_section(elf, section, names, &header);
		uint64_t size = name ? size_of(section, &header) : 0;
		Elf_Data *data;

		if (!name)
			continue;
		if (size > most || (sum += size) > most)
			return false;
		if ((header.sh_flags & SHF_COMPRESSED) && elf_compress(section, 0, 0) < 0)
			return false;
		data = elf_rawdata(section, NULL);
		if (!data || !add_section(to, (uint32_t)texts->length, header.sh_type, &header,
					  data->d_buf, data->d_size))
			return false;
		strbuf_add(texts, name, strlen(name) + 1);
	}
	return true;
}

/* Copies the ELF header of the file. */
static bool copy_head(Elf *elf, Elf *to)
{
	GElf_Ehdr from, head;

	if (!gelf_getehdr(elf, &from) || !gelf_newehdr(to, gelf_getclass(elf)) ||
	    !gelf_getehdr(to, &head))
		return false;
	head.e_ident[EI_DATA] = from.e_ident[EI_DATA];
	head.e_ident[EI_OSABI] = from.e_ident[EI_OSABI];
	head.e_type = from.e_type;
	head.e_machine = from.e_machine;
	head.e_version = EV_CURRENT;
	return gelf_update_ehdr(to, &head);
}

/* Adds the section of section names, the last one. */
static bool add_names(Elf *to, struct strbuf *texts)
{
	uint32_t name = (uint32_t)texts->length;
	GElf_Ehdr head;
	size_t count;

	strbuf_add(texts, ".shstrtab", sizeof(".shstrtab"));
	if (!add_section(to, name, SHT_STRTAB, NULL, texts->text, texts->length) ||
	    elf_getshdrnum(to, &count) || !gelf_getehdr(to, &head))
		return false;
	head.e_shstrndx = (uint16_t)(count - 1);
	return gelf_update_ehdr(to, &head);
}

bool dwarf_unpack(Elf *elf, int fd, size_t most)
{
	Elf *to = elf_begin(fd, ELF_C_WRITE, NULL);
	struct strbuf texts = STRBUF_INIT;
	bool whole;

	strbuf_addch(&texts, '\0');
	whole = to && copy_head(elf, to) && copy_sections(elf, to, &texts, most) &&
		add_names(to, &texts) && elf_update(to, ELF_C_WRITE) > 0;
	elf_end(to);
	strbuf_release(&texts);
	return whole;
}
