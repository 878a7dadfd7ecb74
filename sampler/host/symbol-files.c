/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the files that processes have mapped. */
#include "common/compat.h"
#include "sampler/host/symbol-files.h"

#include "common/xalloc.h"
#include "program/objects/object-open.h"
#include "program/objects/object-symbols.h"

#include <elf.h>

#define FILES_MAX 64
/*
 * Maximum bytes of all files; maximum size of one section, larger ones are
 * skipped. Well below what the sampler treats as a leak.
 */
#define MEMORY_MAX (32U << 20)
#define SECTION_MAX (8U << 20)
/*
 * Maximum length of a routine without a size, as in hand-written assembly; it also
 * ends at the next symbol.
 */
#define UNSIZED_MAX 4096

void symbol_files_init(struct symbol_files *files)
{
	memset(files, 0, sizeof(*files));
}

/* Removes the file at index; the last one moves there. */
static void drop(struct symbol_files *files, size_t index)
{
	struct symbol_file *file = files->items[index];

	files->items[index] = files->items[--files->count];
	files->size -= file->size;
	symbol_table_release(&file->table);
	if (file->object)
		object_close(file->object);
	free(file);
}

/* Makes space for another file; files of which a name was returned in this call stay. */
static void make_room(struct symbol_files *files)
{
	while (files->count >= FILES_MAX || files->size > MEMORY_MAX) {
		size_t oldest = files->count;

		for (size_t i = 0; i < files->count; i++)
			if (files->items[i]->kept != files->call &&
			    (oldest == files->count ||
			     files->items[i]->used < files->items[oldest]->used))
				oldest = i;
		if (oldest == files->count)
			return;
		drop(files, oldest);
	}
}

void symbol_files_call(struct symbol_files *files)
{
	files->call++;
}

/* Begins to iterate over the symbols of a file, without very large tables. */
static void begin_symbols(struct object_symbols *symbols, const struct symbol_file *file)
{
	object_symbols_begin(symbols, file->object);
	symbols->largest = SECTION_MAX;
}

/* Adds a function or a variable to the table. */
static void add_symbol(struct symbol_table *table, const struct object_symbol *symbol)
{
	int binding = symbol->binding, type = symbol->type;
	struct symbol added = {
		.start = symbol->address,
		.size = symbol->size,
		.sized = symbol->size != 0,
		.limit = symbol->address + UNSIZED_MAX,
		.name = symbol->name,
		.section = "",
		.rank = binding == STB_LOCAL  ? SYMBOL_LOCAL
			: binding == STB_WEAK ? SYMBOL_WEAK
					      : SYMBOL_GLOBAL,
	};

	if (type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_OBJECT && symbol->size))
		symbol_table_add(table, &added);
}

/*
 * Determines the lowest and highest address of the loaded segments; returns false
 * if there are none.
 */
static bool read_extent(struct symbol_file *file)
{
	const struct object *object = file->object;

	for (size_t i = 0; i < object->segment_count; i++) {
		const struct object_segment *segment = &object->segments[i];

		if (segment->type == PT_LOAD &&
		    segment->address + segment->memory_size > file->highest)
			file->highest = segment->address + segment->memory_size;
	}
	file->lowest = object->lowest_address;
	return file->lowest < file->highest;
}

/* Returns the bytes of the symbol tables and their names. */
static size_t tables_size(const struct symbol_file *file)
{
	struct object_section section;
	size_t size = 0;

	for (unsigned i = 1; object_section_at(file->object, i, &section); i++)
		if (section.size <= SECTION_MAX &&
		    (section.type == SHT_SYMTAB || section.type == SHT_DYNSYM ||
		     section.type == SHT_STRTAB))
			size += section.size;
	return size;
}

/* Opens the file; it has no object if it is no ELF file. */
static void open_file(struct symbol_file *file, pid_t pid, const struct region *region)
{
	bool stands_in;
	int fd = object_open_file(region->path, region->deleted, region->device, region->inode, pid,
				  region->start, &stands_in);

	RETURN_IF(fd < 0, );
	file->object = object_of_descriptor(fd, region->path);
	file->object->stands_in = stands_in;
	if (object_headers(file->object) && read_extent(file)) {
		file->size = tables_size(file);
		return;
	}
	object_close(file->object);
	file->object = NULL;
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
	return file->object ? file : NULL;
}

const struct symbol *symbol_files_at(struct symbol_files *files, struct symbol_file *file,
				     uint64_t address)
{
	struct object_symbols symbols;
	struct object_symbol symbol;

	if (!file->table_made) {
		file->table_made = true;
		begin_symbols(&symbols, file);
		while (object_symbols_next(&symbols, &symbol))
			add_symbol(&file->table, &symbol);
		symbol_table_sort(&file->table);
		file->size += file->table.alloc * sizeof(*file->table.items);
		files->size += file->table.alloc * sizeof(*file->table.items);
	}
	file->kept = files->call;
	return symbol_table_find(&file->table, address);
}

bool symbol_file_named(const struct symbol_file *file, const char *name, uint64_t *address)
{
	struct object_symbols symbols;
	struct object_symbol symbol;

	begin_symbols(&symbols, file);
	while (object_symbols_next(&symbols, &symbol)) {
		if (symbol.type == STT_TLS || symbol.type == STT_SECTION ||
		    symbol.type == STT_FILE || strcmp(symbol.name, name) != 0)
			continue;
		*address = symbol.address;
		return true;
	}
	return false;
}
