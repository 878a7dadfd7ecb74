/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code without call-frame information: hand-written assembly, linkage stubs.
 * Where a routine begins is known from the symbol tables, or from the call
 * that leads to it; what it does to the stack is read from its code, once,
 * and kept as rows beside those of the call-frame information.
 *
 * Such rows are well-founded guesses: whoever uses one checks that a call
 * stands before the return address that it gives.
 */
#ifndef VIGIL_PROGRAM_UNWIND_ROUTINE_H
#define VIGIL_PROGRAM_UNWIND_ROUTINE_H

#include "common/idmap.h"
#include "program/unwind/cfi.h"

struct routine {
	uint64_t start, end; /* [start, end) in the object's terms */
};

struct routine_symbol;
struct routine_rows;

/* What is known of an object's routines without call-frame information; read when it is asked for.
 */
struct routine_table {
	struct cfi_table *cfi; /* borrowed, with the object and the rows */
	/* By start. Of .symtab, which may be huge, only what call-frame information does not cover.
	 */
	struct routine_symbol *symbols;
	size_t symbol_count, symbol_alloc;
	struct routine_slot *slots; /* by slot */
	size_t slot_count, slot_alloc;
	bool symbols_read, slots_read;
	struct idmap by_start; /* start of a routine -> number in analysed */
	struct routine_rows *analysed;
	size_t analysed_count, analysed_alloc;
};

void routine_init(struct routine_table *routines, struct cfi_table *cfi);
void routine_release(struct routine_table *routines);

/* The routine a symbol names that holds address, outside what call-frame information covers. */
bool routine_find(struct routine_table *routines, uint64_t address, struct routine *routine);
/*
 * The row for address, by the code of the routine; NULL when its code does not
 * lead there. A row without a frame address: the stack pointer was lost.
 */
const struct frame_row *routine_row(struct routine_table *routines, const struct routine *routine,
				    uint64_t address);
/* Whether name is one of the symbols at address. */
bool routine_is_named(struct routine_table *routines, uint64_t address, const char *name);

/* What a slot of the table of addresses is filled with when the object is loaded. */
struct routine_slot {
	uint64_t slot;
	uint64_t target;  /* an address in the same object, or 0 */
	const char *name; /* a symbol, or NULL */
};

/* The slot at an address; NULL when none is known there. */
const struct routine_slot *routine_slot_at(struct routine_table *routines, uint64_t slot);

#define ROUTINE_LARGEST 65536

/*
 * Processor dependent (routine-x86_64.c): follow the stack pointer through the
 * code and append a row for each change. False when nothing can be said.
 */
bool routine_analyse(struct object *object, const struct routine *routine, struct frame_rows *rows,
		     uint32_t *first_row, uint32_t *row_count);

#endif
