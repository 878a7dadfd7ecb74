/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbols and the relocations of an object: the one reader of ELF symbol
 * tables, for the walk (routine.h), for names (names-symbols.h) and for what
 * data collectors ask (sampler/host/symbol-files.h).
 *
 * An iterator is a struct that the caller has on its stack and that holds no
 * memory; the object must outlive it, and the names it gives live as long as
 * the object. Only what is asked for is read of the file. Tables may be
 * damaged: an entry that makes no sense is passed over.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_OBJECT_SYMBOLS_H
#define VIGIL_PROGRAM_OBJECTS_OBJECT_SYMBOLS_H

#include "program/objects/object.h"

/* A symbol that has a name and is defined in a section of the object. */
struct object_symbol {
	const char *name;      /* never "" */
	uint64_t address;      /* in the object's terms */
	uint64_t size;	       /* 0: unknown */
	unsigned section;      /* its number */
	uint8_t type, binding; /* STT_*, STB_* */
	bool dynamic;	       /* of .dynsym */
};

struct object_symbols {
	struct object *object;
	uint64_t largest; /* a table of more bytes is left out; the caller may lower it */
	unsigned next;	  /* section to look at next */
	bool dynamic;
	const unsigned char *at; /* the next entry */
	uint64_t left;		 /* entries */
	const char *names;
	uint64_t names_size;
};

/*
 * Begin with the symbols of .symtab and .dynsym, in the order of the file. An
 * image copied from memory, which has no section headers, gives those that its
 * dynamic segment leads to.
 */
void object_symbols_begin(struct object_symbols *symbols, struct object *object);
/* The next symbol; false behind the last one. */
bool object_symbols_next(struct object_symbols *symbols, struct object_symbol *symbol);

/* A relocation with an addend (RELA, 64-bit objects). */
struct object_relocation {
	uint64_t address; /* what is filled when the object is loaded */
	uint64_t addend;
	uint32_t type;	  /* R_X86_64_* */
	uint32_t symbol;  /* number in .dynsym, 0: none */
	const char *name; /* of the symbol; NULL when the table has none that can be read */
};

struct object_relocations {
	struct object *object;
	unsigned next; /* section to look at next */
	const unsigned char *at;
	uint64_t left;
	const unsigned char *symbols;
	uint64_t symbol_count;
	const char *names;
	uint64_t names_size;
};

void object_relocations_begin(struct object_relocations *relocations, struct object *object);
bool object_relocations_next(struct object_relocations *relocations,
			     struct object_relocation *relocation);

#endif
