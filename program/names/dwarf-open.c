/* SPDX-License-Identifier: Apache-2.0 */
/* Checks and repairs what libdw trusts. */
#include "common/compat.h"
#include "program/names/dwarf-open.h"
#include "common/xalloc.h"
#include "program/names/elf-section.h"

#include <gelf.h>

/* A section that claims to be larger when decompressed is not decompressed. */
#define MAX_UNPACKED (UINT64_C(4) << 30)

/* Returns whether the file has debug information that claims nothing impossible. */
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

/* Returns the section with a name, decompressed, NULL if there is none. */
static Elf_Scn *unpacked_section(Elf *elf, const char *name)
{
	Elf_Scn *section = elf_section_named(elf, name);
	GElf_Shdr header;

	if (section && gelf_getshdr(section, &header) && (header.sh_flags & SHF_COMPRESSED) &&
	    elf_compress(section, 0, 0) < 0)
		return NULL;
	return section;
}

/*
 * libdw may return texts of a damaged file that do not end within their section:
 * such a section is copied and a NUL appended.
 */
static void end_texts(Elf *elf, char *ended[DWARF_TEXT_SECTIONS])
{
	static const char *const sections[DWARF_TEXT_SECTIONS] = { ".debug_info", ".debug_types",
								   ".debug_str",
								   ".debug_line_str" };

	for (size_t i = 0; i < DWARF_TEXT_SECTIONS; i++) {
		Elf_Scn *section = unpacked_section(elf, sections[i]);
		/*
		 * libdw reads one of the two buffers, depending on the kind of file and its own
		 * version.
		 */
		Elf_Data *raw = elf_rawdata(section, NULL), *data = elf_getdata(section, NULL);
		const char *bytes = raw ? raw->d_buf : NULL;

		if (!bytes || !raw->d_size || bytes[raw->d_size - 1] == '\0')
			continue;
		ended[i] = xmalloc(raw->d_size + 1);
		memcpy(ended[i], bytes, raw->d_size);
		ended[i][raw->d_size] = '\0';
		raw->d_buf = ended[i];
		if (data && data->d_size == raw->d_size)
			data->d_buf = ended[i];
	}
}

bool dwarf_file_open(struct dwarf_file *file, Elf *elf)
{
	*file = (struct dwarf_file){ 0 };
	if (!has_information(elf))
		return false;
	end_texts(elf, file->ended);
	file->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	if (!file->dwarf)
		dwarf_file_close(file);
	return file->dwarf;
}

void dwarf_file_close(struct dwarf_file *file)
{
	dwarf_end(file->dwarf);
	for (size_t i = 0; i < DWARF_TEXT_SECTIONS; i++)
		free(file->ended[i]);
	*file = (struct dwarf_file){ 0 };
}
