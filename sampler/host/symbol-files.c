/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the files that processes have mapped. */
#include "common/compat.h"
#include "sampler/host/symbol-files.h"

#include "common/xalloc.h"
#include "program/objects/object-open.h"

#include <gelf.h>
#include <unistd.h>

#define FILES_MAX 64
/* Bytes of all files; a table of a file that is larger than the second is left out. Well below what
   the sampler takes for a leak. */
#define MEMORY_MAX (32U << 20)
#define SECTION_MAX (8U << 20)
/* A routine without a size, of hand-written assembly, reaches as far as that or to the next. */
#define UNSIZED_MAX 4096

void symbol_files_init(struct symbol_files *files)
{
	memset(files, 0, sizeof(*files));
}

/* Take the file at index out; the last one moves there. */
static void drop(struct symbol_files *files, size_t index)
{
	struct symbol_file *file = files->items[index];

	files->items[index] = files->items[--files->count];
	files->size -= file->size;
	symbol_table_release(&file->table);
	elf_end(file->elf);
	if (file->descriptor >= 0)
		close(file->descriptor);
	free(file);
}

/* Make room for another file; those of which a name is given out stay. */
static void make_room(struct symbol_files *files)
{
	while (files->count >= FILES_MAX || files->size > MEMORY_MAX) {
		size_t least = files->count;

		for (size_t i = 0; i < files->count; i++)
			if (files->items[i]->kept != files->call &&
			    (least == files->count ||
			     files->items[i]->used < files->items[least]->used))
				least = i;
		if (least == files->count)
			return;
		drop(files, least);
	}
}

void symbol_files_call(struct symbol_files *files)
{
	files->call++;
}

/* Call take for each symbol that has a name and an address, until it returns true; then true. */
static bool each_symbol(Elf *elf,
			bool (*take)(void *data, const GElf_Sym *symbol, const char *name),
			void *data)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		GElf_Sym symbol;
		Elf_Data *content;

		if (!gelf_getshdr(section, &header) || header.sh_size > SECTION_MAX ||
		    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
			continue;
		content = elf_getdata(section, NULL);
		for (int i = 1; content && gelf_getsym(content, i, &symbol); i++) {
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

			if (name && name[0] && symbol.st_shndx != SHN_UNDEF &&
			    symbol.st_shndx < SHN_LORESERVE && take(data, &symbol, name))
				return true;
		}
	}
	return false;
}

/* Add a function or a variable to the table. */
static bool take_address(void *data, const GElf_Sym *symbol, const char *name)
{
	int binding = GELF_ST_BIND(symbol->st_info), type = GELF_ST_TYPE(symbol->st_info);
	struct symbol added = {
		.start = symbol->st_value,
		.size = symbol->st_size,
		.sized = symbol->st_size != 0,
		.limit = symbol->st_value + UNSIZED_MAX,
		.name = name,
		.section = "",
		.rank = binding == STB_LOCAL  ? SYMBOL_LOCAL
			: binding == STB_WEAK ? SYMBOL_WEAK
					      : SYMBOL_GLOBAL,
	};

	if (type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_OBJECT && symbol->st_size))
		symbol_table_add(data, &added);
	return false;
}

/* Lowest and highest address of the loaded segments; false when there are none. */
static bool read_extent(struct symbol_file *file)
{
	size_t count = 0;

	file->lowest = UINT64_MAX;
	if (elf_getphdrnum(file->elf, &count) != 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(file->elf, (int)i, &header) || header.p_type != PT_LOAD)
			continue;
		if ((header.p_vaddr & ~UINT64_C(4095)) < file->lowest)
			file->lowest = header.p_vaddr & ~UINT64_C(4095);
		if (header.p_vaddr + header.p_memsz > file->highest)
			file->highest = header.p_vaddr + header.p_memsz;
	}
	return file->lowest < file->highest;
}

/* The bytes of the symbol tables and their names. */
static size_t tables_size(const struct symbol_file *file)
{
	Elf_Scn *section = NULL;
	size_t size = 0;

	while ((section = elf_nextscn(file->elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_size <= SECTION_MAX &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM ||
		     header.sh_type == SHT_STRTAB))
			size += header.sh_size;
	}
	return size;
}

/* Open the file; its descriptor stays -1 when it is no ELF file. */
static void open_file(struct symbol_file *file, pid_t pid, const struct region *region)
{
	file->descriptor = object_open_file(region->path, region->deleted, region->device,
					    region->inode, pid, region->start);
	RETURN_IF(file->descriptor < 0, );
	elf_version(EV_CURRENT);
	file->elf = elf_begin(file->descriptor, ELF_C_READ, NULL);
	if (file->elf && elf_kind(file->elf) == ELF_K_ELF && read_extent(file)) {
		file->size = tables_size(file);
		return;
	}
	elf_end(file->elf);
	file->elf = NULL;
	close(file->descriptor);
	file->descriptor = -1;
}

struct symbol_file *symbol_files_get(struct symbol_files *files, pid_t pid,
				     const struct region *region)
{
	struct symbol_file *file = NULL;

	for (size_t i = 0; i < files->count && !file; i++)
		if (files->items[i]->inode == region->inode &&
		    files->items[i]->device == region->device)
			file = files->items[i];
	if (!file) {
		make_room(files);
		file = xcalloc(1, sizeof(*file));
		file->device = region->device;
		file->inode = region->inode;
		open_file(file, pid, region);
		files->size += file->size;
		GROW(files->items, files->count + 1, files->alloc);
		files->items[files->count++] = file;
	}
	file->used = ++files->uses;
	return file->descriptor >= 0 ? file : NULL;
}

const struct symbol *symbol_files_at(struct symbol_files *files, struct symbol_file *file,
				     uint64_t address)
{
	if (!file->table_made) {
		file->table_made = true;
		each_symbol(file->elf, take_address, &file->table);
		symbol_table_sort(&file->table);
		file->size += file->table.alloc * sizeof(*file->table.items);
		files->size += file->table.alloc * sizeof(*file->table.items);
	}
	file->kept = files->call;
	return symbol_table_find(&file->table, address);
}

struct wanted {
	const char *name;
	uint64_t address;
};

/* Whether this is the symbol that is wanted. */
static bool take_named(void *data, const GElf_Sym *symbol, const char *name)
{
	struct wanted *wanted = data;
	int type = GELF_ST_TYPE(symbol->st_info);

	if (type == STT_TLS || type == STT_SECTION || type == STT_FILE ||
	    strcmp(name, wanted->name) != 0)
		return false;
	wanted->address = symbol->st_value;
	return true;
}

bool symbol_file_named(const struct symbol_file *file, const char *name, uint64_t *address)
{
	struct wanted wanted = { .name = name };

	RETURN_IF(!each_symbol(file->elf, take_named, &wanted), false);
	*address = wanted.address;
	return true;
}
