/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of one walk, and the memory it reads: words of the walked stack, code
 * of the walked process. The rules of unwind.h work on it.
 *
 * A walk is on the stack of unwind_walk and borrows its input. It reads the
 * captured stack first, then blocks of the process's memory, of which it keeps the
 * last, and allocates nothing.
 */
#ifndef VIGIL_PROGRAM_UNWIND_WALK_H
#define VIGIL_PROGRAM_UNWIND_WALK_H

#include "program/unwind/code-table.h"
#include "program/unwind/unwind.h"

#define WALK_BLOCK 4096
/*
 * Limits of one walk for code that gives no information (generated at run time,
 * without frame pointers).
 */
#define WALK_WORDS_MAX 4096
#define WALK_READS_MAX 64

/* The state of one walk. */
struct walk {
	const struct unwind_input *input;
	uint64_t registers[UNWIND_REGISTERS];
	uint32_t known;
	bool interrupted; /* the instruction pointer is at an instruction, not after a call */
	bool guessed;	  /* the last step was by rule 2 or 3 */
	uint64_t deepest_read; /* lowest address read by the last expression; 0: none */
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

/* Current place of the walk in the code. */
struct code_place {
	const struct mapping *mapping; /* NULL: no known executable mapping there */
	struct code_table *table;      /* NULL: no readable ELF file */
	uint64_t offset;	       /* in the object's terms */
	bool has_routine;
	struct routine routine;
};

/* Starts with the registers of input. */
void walk_init(struct walk *walk, const struct unwind_input *input);
/* Reads a word beyond the captured stack; returns false if it is not readable. */
bool walk_read_word(struct walk *walk, uint64_t address, uint64_t *value);

/* Reads a word of the walked thread's memory; returns false if it is not readable. */
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
 * Returns size bytes of code at an address of the process, from the object mapped
 * there or, if it has none, read from memory into buffer; NULL if they are not
 * available, or the walk has already read WALK_READS_MAX times.
 */
const unsigned char *walk_code(struct walk *walk, const struct mapping *mapping, uint64_t address,
			       unsigned char *buffer, size_t size);

#endif
