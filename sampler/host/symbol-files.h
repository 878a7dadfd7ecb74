/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * Symbols of the files that processes have mapped, by address and by name:
 * functions and variables of .symtab and .dynsym. One table for each file
 * (device, inode), kept while there is room; a symbol that is given out stays
 * valid until the next symbol_files_call.
 */
#ifndef VIGIL_SAMPLER_HOST_SYMBOL_FILES_H
#define VIGIL_SAMPLER_HOST_SYMBOL_FILES_H

#include "sampler/host/process.h"
#include "program/names/names-symbols.h"

struct symbol_file {
	dev_t device;
	ino_t inode;
	struct object *object;	   /* NULL: it cannot be had, or is no ELF file */
	uint64_t lowest, highest;  /* addresses of the loaded segments, in the file's terms */
	struct symbol_table table; /* made when the first address is looked up */
	bool table_made;
	size_t size;   /* bytes of memory, about */
	uint64_t used; /* number of the last use */
	uint64_t kept; /* call in which a name of it was given out */
};

struct symbol_files {
	struct symbol_file **items;
	size_t count, alloc;
	size_t size;
	uint64_t uses, call;
};

void symbol_files_init(struct symbol_files *files);
/* A call begins. */
void symbol_files_call(struct symbol_files *files);
/* The file that pid has mapped in region, until the next one is got; NULL when it is no ELF file or
   cannot be had. */
struct symbol_file *symbol_files_get(struct symbol_files *files, pid_t pid,
				     const struct region *region);
/* The symbol that covers an address, in the file's terms, or NULL. */
const struct symbol *symbol_files_at(struct symbol_files *files, struct symbol_file *file,
				     uint64_t address);
/* The address of a name, in the file's terms; false when it is not there. */
bool symbol_file_named(const struct symbol_file *file, const char *name, uint64_t *address);

#endif
