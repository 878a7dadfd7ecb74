/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbol tables: start, size and name, sorted once and then searched. Filled from
 * ELF symbol tables, PLT stubs, perf maps and the kernel's list.
 *
 * A sized symbol covers its size. One without a size (hand-written assembly)
 * extends to the next symbol or the end of its section, whichever is nearer, and
 * counts only where no sized symbol covers the address.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_SYMBOLS_H
#define VIGIL_PROGRAM_NAMES_NAMES_SYMBOLS_H

#include "program/objects/object.h"

/* Of several symbols at one address the one with the highest rank is shown. */
enum symbol_rank {
	SYMBOL_LABEL,
	SYMBOL_LOCAL,
	SYMBOL_WEAK,
	SYMBOL_GLOBAL,
};

struct symbol {
	uint64_t start;
	uint64_t size;	     /* 0: unknown until symbol_table_sort, which sets it from limit */
	uint64_t limit;	     /* upper limit of its end if it has no size */
	uint64_t reach;	     /* highest end of this symbol and all before it; set by
			      * symbol_table_sort */
	const char *name;    /* borrowed: lives as long as its source */
	const char *section; /* borrowed; "" if unknown */
	bool plt;	     /* a stub that calls name */
	bool sized;
	enum symbol_rank rank;
};

struct symbol_table {
	struct symbol *items;
	size_t count, alloc;
	bool functions; /* it contains something other than PLT stubs */
	bool go;	/* it contains the function table of a Go program */
};

void symbol_table_init(struct symbol_table *table);
void symbol_table_release(struct symbol_table *table);
void symbol_table_add(struct symbol_table *table, const struct symbol *symbol);
/* Adds the functions among an object's symbols; the object must outlive the table. */
void symbol_table_add_object(struct symbol_table *table, struct object *object);
/* Adds the stubs through which an object calls others; to be called after adding its functions. */
void symbol_table_add_plt(struct symbol_table *table, struct object *object);
/* Sorts and drops duplicates; to be called after the last addition. */
void symbol_table_sort(struct symbol_table *table);
/* Returns the symbol that covers address, or NULL. */
const struct symbol *symbol_table_find(const struct symbol_table *table, uint64_t address);
/* Returns the first address after this one at which another symbol may cover it. */
uint64_t symbol_table_next(const struct symbol_table *table, uint64_t address);
/* Returns whether a symbol with this name starts anywhere; a linear search, for few names only. */
bool symbol_table_has(const struct symbol_table *table, const char *name, size_t length);

#endif
