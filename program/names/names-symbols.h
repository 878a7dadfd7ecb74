/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of symbols: start, size and name, sorted once and then searched.
 * Filled from ELF symbol tables, PLT stubs, perf maps and the kernel's list.
 *
 * A sized symbol covers its size. One without a size (hand-written assembly)
 * reaches to the next symbol or the end of its section, whichever is nearer,
 * and counts only where no sized symbol covers the address.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_SYMBOLS_H
#define VIGIL_PROGRAM_NAMES_NAMES_SYMBOLS_H

#include "program/objects/object.h"

/* Of several symbols at one address the highest is shown. */
enum symbol_rank {
	SYMBOL_LABEL,
	SYMBOL_LOCAL,
	SYMBOL_WEAK,
	SYMBOL_GLOBAL,
};

struct symbol {
	uint64_t start;
	uint64_t size;	     /* 0: unknown until symbol_table_sort, which sets it from limit */
	uint64_t limit;	     /* the end of what can belong to it when it has no size */
	uint64_t reach;	     /* set by symbol_table_sort: highest end of this and all before */
	const char *name;    /* borrowed: lives as long as what it was read from */
	const char *section; /* borrowed; "" when the symbol tells none */
	bool plt;	     /* a stub that calls name */
	bool sized;
	enum symbol_rank rank;
};

struct symbol_table {
	struct symbol *items;
	size_t count, alloc;
	bool functions; /* something other than PLT stubs is in it */
	bool go;	/* so is what a Go program knows of itself */
};

void symbol_table_init(struct symbol_table *table);
void symbol_table_release(struct symbol_table *table);
void symbol_table_add(struct symbol_table *table, const struct symbol *symbol);
/* Add the functions among an object's symbols; the object must outlive the table. */
void symbol_table_add_object(struct symbol_table *table, struct object *object);
/* Add the stubs through which an object calls others; after its functions. */
void symbol_table_add_plt(struct symbol_table *table, struct object *object);
/* Sort and drop duplicates; to be called after the last addition. */
void symbol_table_sort(struct symbol_table *table);
/* The symbol that covers address, or NULL. */
const struct symbol *symbol_table_find(const struct symbol_table *table, uint64_t address);
/* The first address behind this one at which the symbol that covers it may be another. */
uint64_t symbol_table_next(const struct symbol_table *table, uint64_t address);
/* Whether a symbol of this name starts anywhere; a scan, for few names only. */
bool symbol_table_has(const struct symbol_table *table, const char *name, size_t length);

#endif
