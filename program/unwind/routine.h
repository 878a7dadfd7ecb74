/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code without call-frame information: hand-written assembly, linkage stubs.
 * Where a routine begins is known from the symbol tables, or from the call
 * that leads to it; what it does to the stack is read from its code, once,
 * and kept as rows of the object's call-frame table.
 *
 * Such rows are well-founded guesses: whoever uses one checks that a call
 * stands before the return address that it gives.
 */
#ifndef VIGIL_PROGRAM_UNWIND_ROUTINE_H
#define VIGIL_PROGRAM_UNWIND_ROUTINE_H

#include "program/unwind/cfi.h"

struct routine {
	uint64_t start, end; /* [start, end) in the object's terms */
};

struct routine_table;

void routine_table_free(struct routine_table *routines); /* NULL is allowed */

/* The routine a symbol names that holds address, outside what call-frame information covers. */
bool routine_find(struct cfi_table *table, uint64_t address, struct routine *routine);
/*
 * The row for address, by the code of the routine; NULL when its code does not
 * lead there. A row without a frame address: the stack pointer was lost.
 */
const struct cfi_row *routine_row(struct cfi_table *table, const struct routine *routine,
				  uint64_t address);
/* Whether name is one of the symbols at address. */
bool routine_is_named(struct cfi_table *table, uint64_t address, const char *name);

/* What a slot of the table of addresses is filled with when the object is loaded. */
struct routine_slot {
	uint64_t slot;
	uint64_t target;  /* an address in the same object, or 0 */
	const char *name; /* a symbol, or NULL */
};

/* The slot at an address; NULL when none is known there. */
const struct routine_slot *routine_slot_at(struct cfi_table *table, uint64_t slot);

#define ROUTINE_LARGEST 65536

/*
 * Processor dependent (unwind-x86_64.c): follow the stack pointer through the
 * code and append a row for each change. False when nothing can be said.
 */
bool routine_analyse(struct cfi_table *table, const struct routine *routine, uint32_t *first_row,
		     uint32_t *row_count);

#endif
