/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code without call-frame information: hand-written assembly, linkage stubs. The
 * start of a routine is known from the symbol tables, or from the call that leads
 * to it; its effect on the stack is read from its code, once, and stored as rows
 * together with those of the call-frame information.
 *
 * Such rows are well-founded guesses: their users check that there is a call
 * before the return address that they give.
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

/* What is known of an object's routines without call-frame information; read on demand. */
struct routine_table {
	struct cfi_table *cfi; /* borrowed, including its object and rows */
	/*
	 * By start. Of .symtab, which may be huge, only symbols that call-frame
	 * information does not cover.
	 */
	struct routine_symbol *symbols;
	size_t symbol_count, symbol_alloc;
	struct routine_slot *slots; /* by slot */
	size_t slot_count, slot_alloc;
	bool symbols_read, slots_read;
	struct idmap by_start; /* start of a routine -> index in analysed */
	struct routine_rows *analysed;
	size_t analysed_count, analysed_alloc;
};

void routine_init(struct routine_table *routines, struct cfi_table *cfi);
void routine_release(struct routine_table *routines);

/*
 * Finds the routine of the symbol that covers address, outside of what call-frame
 * information covers.
 */
bool routine_find(struct routine_table *routines, uint64_t address, struct routine *routine);
/*
 * Returns the row for address, from the code of the routine; NULL if its code does
 * not lead there. A row without a frame address: the stack pointer could not be
 * followed.
 */
const struct frame_row *routine_row(struct routine_table *routines, const struct routine *routine,
				    uint64_t address);
/* Returns whether name is one of the symbols at address. */
bool routine_is_named(struct routine_table *routines, uint64_t address, const char *name);

/* The value of a slot in the table of addresses when the object is loaded. */
struct routine_slot {
	uint64_t slot;
	uint64_t target;  /* an address in the same object, or 0 */
	const char *name; /* a symbol, or NULL */
};

/* Returns the slot at an address; NULL if none is known there. */
const struct routine_slot *routine_slot_at(struct routine_table *routines, uint64_t slot);

#define ROUTINE_LARGEST 65536

/*
 * Processor-dependent (routine-x86_64.c): follows the stack pointer through the
 * code and appends a row for each change. Returns false if that is not possible.
 */
bool routine_analyse(struct object *object, const struct routine *routine, struct frame_rows *rows,
		     uint32_t *first_row, uint32_t *row_count);

#endif
