/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols of the files that processes have mapped, by address and by name:
 * functions and variables of .symtab and .dynsym. One table for each file
 * (device, inode), kept while it is used; what a function gives out stays
 * valid until the next symbol_files_call.
 */
#ifndef VIGIL_SAMPLER_HOST_SYMBOLS_H
#define VIGIL_SAMPLER_HOST_SYMBOLS_H

#include "sampler/host/process.h"
#include "sampler/names-symbols.h"

struct symbol_file {
	dev_t device;
	ino_t inode;
	int descriptor; /* -1: it cannot be had, or is no ELF file */
	Elf *elf;
	uint64_t lowest, highest; /* addresses of the loaded segments, in the file's terms */
	struct symbol_table table;
	size_t size;   /* bytes of memory, about */
	uint64_t used; /* number of the last call */
};

struct symbol_files {
	struct symbol_file **items;
	size_t count, alloc;
	size_t size;
	uint64_t call;
};

void symbol_files_init(struct symbol_files *files);
void symbol_files_release(struct symbol_files *files);
/* A call begins. */
void symbol_files_call(struct symbol_files *files);
/* The file that pid has mapped in region; NULL when it is no ELF file or cannot be had. */
struct symbol_file *symbol_files_get(struct symbol_files *files, pid_t pid,
				     const struct region *region);
/* The address of a name, in the file's terms; false when it is not there. */
bool symbol_file_named(const struct symbol_file *file, const char *name, uint64_t *address);

#endif
