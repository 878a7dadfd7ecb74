/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk's second rule: a return address is known by the call instruction
 * that stands before it, and by where that call leads.
 */
#ifndef VIGIL_PROGRAM_UNWIND_UNWIND_SEARCH_H
#define VIGIL_PROGRAM_UNWIND_UNWIND_SEARCH_H

#include "program/unwind/cfi.h"
#include "program/unwind/routine.h"
#include "program/unwind/unwind-arch.h"

#define WALK_BLOCK 1024
#define SEARCH_FRAME_LARGEST (UINT64_C(1) << 20)
/* What one walk may spend where code gives no help (code made at run time without frame pointers).
 */
#define SEARCH_MOST_WORDS 4096
#define SEARCH_MOST_READS 64

/* The state of one walk. */
struct walk {
	const struct unwind_input *input;
	uint64_t registers[UNWIND_REGISTERS];
	uint32_t known;
	bool interrupted; /* the instruction pointer is an instruction, not behind a call */
	bool guessed;	  /* the last step was by rule 2 or 3 */
	unsigned words_searched, code_reads;
	/* Memory read beyond the captured stack: the last block. */
	uint64_t block_address;
	bool block_valid;
	unsigned char block[WALK_BLOCK];
};

struct walk_registers {
	uint64_t registers[UNWIND_REGISTERS];
	uint32_t known;
};

/* Where the walk is. */
struct code_place {
	const struct mapping *mapping; /* NULL: no executable mapping is known there */
	struct cfi_table *table;       /* NULL: no ELF file that could be read */
	uint64_t offset;	       /* in the object's terms */
	bool has_routine;
	struct routine routine;
};

/* How well a call fits the routine that is being left. */
enum match {
	MATCH_NONE = 0, /* no call stands before the address */
	MATCH_ANY,	/* a call to something else (which may have jumped here) */
	MATCH_POSSIBLE, /* indirect, or to code of the same kind */
	MATCH_EXACT,	/* its target is the routine's start, directly or through a stub */
};

/* A word of the walked thread's memory. */
bool walk_word(struct walk *walk, uint64_t address, uint64_t *value);

/* How well the call before return_address fits. */
enum match search_match(struct walk *walk, const struct code_place *place, uint64_t return_address);
/* The address in the stack of the first return address that fits so well. */
bool search_return(struct walk *walk, const struct code_place *place, enum match match,
		   uint64_t *found);
/*
 * Find the routine at a place, and the row that its code gives. With
 * has_information the function that call-frame information names is meant.
 */
const struct cfi_row *search_row(struct walk *walk, struct code_place *place, bool has_information);
/* Whether the code is what the kernel starts, which nothing has called. */
bool search_is_entry(const struct code_place *place);
/* Whether the walk is about to return to the code that ends a signal handler. */
bool search_is_signal_return(struct walk *walk, const struct code_place *place);

#endif
