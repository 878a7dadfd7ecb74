/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * Symbols of the files that processes have mapped, by address and by name:
 * functions and variables of .symtab and .dynsym. There is one table for each file
 * (device, inode), kept while there is space; a returned symbol stays valid until
 * the next symbol_files_call.
 */
#ifndef VIGIL_SAMPLER_HOST_SYMBOL_FILES_H
#define VIGIL_SAMPLER_HOST_SYMBOL_FILES_H

#include "sampler/host/process.h"
#include "program/names/names-symbols.h"

struct symbol_file {
	dev_t device;
	ino_t inode;
	struct object *object;	   /* NULL: it cannot be opened, or is no ELF file */
	uint64_t lowest, highest;  /* addresses of the loaded segments, as in the file */
	struct symbol_table table; /* made when the first address is looked up */
	bool table_made;
	size_t size;   /* approximate bytes of memory */
	uint64_t used; /* number of the last use */
	uint64_t kept; /* call in which a name of it was returned */
};

struct symbol_files {
	struct symbol_file **items;
	size_t count, alloc;
	size_t size;
	uint64_t uses, call;
};

void symbol_files_init(struct symbol_files *files);
/* Begins a call. */
void symbol_files_call(struct symbol_files *files);
/*
 * Returns the file that pid has mapped in region, valid until the next one is
 * returned; NULL: it is no ELF file or cannot be opened.
 */
struct symbol_file *symbol_files_get(struct symbol_files *files, pid_t pid,
				     const struct region *region);
/* Returns the symbol that covers an address, as in the file; NULL: none. */
const struct symbol *symbol_files_at(struct symbol_files *files, struct symbol_file *file,
				     uint64_t address);
/* Gets the address of a name, as in the file; returns false if there is no such symbol. */
bool symbol_file_named(const struct symbol_file *file, const char *name, uint64_t *address);

#endif
