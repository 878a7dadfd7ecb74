/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the further names of a data collector from its object. */
#include "common/compat.h"
#include "sampler/host/aliases.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#define ALIASES_SECTION ".vigil.aliases"
#define ALIASES_MAX 4096

/* Returns the section's content; NULL: none. */
static const Elf_Data *find_section(Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	RETURN_IF(elf_getshdrstrndx(elf, &names) != 0, NULL);
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && strcmp(name, ALIASES_SECTION) == 0)
			return elf_rawdata(section, NULL);
	}
	return NULL;
}

/* Appends the words of a section, which has several consecutive lists, each terminated by NUL. */
static void add_words(struct strbuf *list, const char *content, size_t size)
{
	for (size_t at = 0; at < size && at < ALIASES_MAX;) {
		size_t length = 0;

		while (at + length < size && content[at + length] > ' ' &&
		       content[at + length] < 0x7f)
			length++;
		if (length) {
			if (list->length)
				strbuf_addch(list, ' ');
			strbuf_add(list, content + at, length);
		}
		at += length + 1;
	}
}

int collector_aliases(const char *path, struct strbuf *list, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	const Elf_Data *content;
	Elf *elf;

	RETURN_IF(fd < 0, error_errno(err, "%s cannot be opened", path));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		close(fd);
		return error_set(err, "%s is not a shared object", path);
	}
	content = find_section(elf);
	if (content && content->d_buf)
		add_words(list, content->d_buf, content->d_size);
	elf_end(elf);
	close(fd);
	return 0;
}
