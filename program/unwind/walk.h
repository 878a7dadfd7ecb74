/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of one walk, and the memory it reads: words of the walked stack,
 * code of the walked process. What the rules of unwind.h work on.
 *
 * A walk lives on the stack of unwind_walk and borrows its input. It reads
 * the captured stack first, then blocks of the process's memory, of which it
 * keeps the last, and allocates nothing.
 */
#ifndef VIGIL_PROGRAM_UNWIND_WALK_H
#define VIGIL_PROGRAM_UNWIND_WALK_H

#include "program/unwind/code-table.h"
#include "program/unwind/unwind.h"

#define WALK_BLOCK 4096
/* What one walk may spend where code gives no help (code made at run time without frame pointers).
 */
#define WALK_MOST_WORDS 4096
#define WALK_MOST_READS 64

/* The state of one walk. */
struct walk {
	const struct unwind_input *input;
	uint64_t registers[UNWIND_REGISTERS];
	uint32_t known;
	bool interrupted; /* the instruction pointer is an instruction, not behind a call */
	bool guessed;	  /* the last step was by rule 2 or 3 */
	uint64_t deepest_read; /* by the last expression; 0: it read nothing */
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
	struct code_table *table;      /* NULL: no ELF file that could be read */
	uint64_t offset;	       /* in the object's terms */
	bool has_routine;
	struct routine routine;
};

/* Begin at the registers of input. */
void walk_init(struct walk *walk, const struct unwind_input *input);
/* A word beyond the captured stack; false when it cannot be read. */
bool walk_read_word(struct walk *walk, uint64_t address, uint64_t *value);

/* A word of the walked thread's memory; false when it cannot be read. */
static inline bool walk_word(struct walk *walk, uint64_t address, uint64_t *value)
{
	const struct unwind_input *input = walk->input;
	uint64_t at = address - input->stack_start;

	if (input->stack && at < input->stack_size && input->stack_size - at >= 8) {
		memcpy(value, input->stack + at, 8);
		return true;
	}
	return walk_read_word(walk, address, value);
}

/*
 * size bytes of code at an address of the process, of the object mapped there
 * or, when it has none, read from memory into buffer; NULL when they cannot
 * be had, or the walk has read WALK_MOST_READS times.
 */
const unsigned char *walk_code(struct walk *walk, const struct mapping *mapping, uint64_t address,
			       unsigned char *buffer, size_t size);

#endif
