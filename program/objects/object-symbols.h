/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The symbols and relocations of an object: the only reader of ELF symbol tables,
 * for the walk (routine.h), for names (names-symbols.h) and for requests of data
 * collectors (sampler/host/symbol-files.h).
 *
 * An iterator is a struct on the caller's stack that owns no memory; the object
 * must outlive it, and the names it returns live as long as the object. Only the
 * requested parts of the file are read. Tables may be damaged: an implausible
 * entry is skipped.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_OBJECT_SYMBOLS_H
#define VIGIL_PROGRAM_OBJECTS_OBJECT_SYMBOLS_H

#include "program/objects/object.h"

/* A symbol with a name that is defined in a section of the object. */
struct object_symbol {
	const char *name;      /* never "" */
	uint64_t address;      /* in the object's terms */
	uint64_t size;	       /* 0: unknown */
	unsigned section;      /* section number */
	uint8_t type, binding; /* STT_*, STB_* */
	bool dynamic;	       /* from .dynsym */
};

struct object_symbols {
	struct object *object;
	uint64_t largest; /* maximum size of a table in bytes; larger ones are skipped; the
			   * caller may lower it */
	unsigned next;	  /* number of the next section */
	bool dynamic;
	const unsigned char *at; /* the next entry */
	uint64_t left;		 /* number of entries left */
	const char *names;
	uint64_t names_size;
};

/*
 * Begins with the symbols of .symtab and .dynsym, in file order. For an image
 * copied from memory, which has no section headers, these are the symbols found
 * through its dynamic segment.
 */
void object_symbols_begin(struct object_symbols *symbols, struct object *object);
/* Reads the next symbol; returns false after the last one. */
bool object_symbols_next(struct object_symbols *symbols, struct object_symbol *symbol);

/* A relocation with an addend (RELA, 64-bit objects). */
struct object_relocation {
	uint64_t address; /* where the value is stored when the object is loaded */
	uint64_t addend;
	uint32_t type;	  /* R_X86_64_* */
	uint32_t symbol;  /* number in .dynsym, 0: none */
	const char *name; /* name of the symbol; NULL if it is not readable */
};

struct object_relocations {
	struct object *object;
	unsigned next; /* number of the next section */
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
