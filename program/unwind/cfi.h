/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call-frame tables: where a function saves its caller's registers, for each of
 * its instructions.
 *
 * A struct cfi_table belongs to one object. Opening one reads only the sorted
 * index of functions (.eh_frame_hdr, or a scan if there is none); the program of a
 * function (CIE and FDE) is executed once, when an address in it is first looked
 * up, and stored as rows. So an object of 100 MB costs about a millisecond when it
 * is first seen, and a microsecond for each function that ever appears on a stack.
 *
 * Addresses are the object's. Everything read from the file is checked: a damaged
 * table gives no rows, but never a fault.
 */
#ifndef VIGIL_PROGRAM_UNWIND_CFI_H
#define VIGIL_PROGRAM_UNWIND_CFI_H

#include "program/objects/cursor.h"
#include "program/objects/go-functions.h"
#include "program/objects/object.h"
#include "program/unwind/frame-rows.h"

/* A function whose program was executed. */
struct cfi_function {
	uint64_t start, end;
	uint32_t first_row, row_count;
};

/*
 * The functions of one section, by address. Addresses are relative to the object's
 * lowest address.
 */
struct cfi_index {
	uint32_t *starts;
	uint32_t *entries;  /* location of the FDE: its address (.eh_frame), or its offset in
			     * .debug_frame */
	uint32_t *compiled; /* 0: not yet, UINT32_MAX: damaged, else number in functions + 1 */
	size_t count, alloc;
};

struct cfi_cached {
	uint64_t address;
	uint32_t row; /* 0: free slot, UINT32_MAX: no row, else number + 1 */
};

#define CFI_CACHE 1024

struct cfi_table {
	struct object *object;	 /* borrowed */
	struct frame_rows *rows; /* borrowed; rows are appended to it */
	struct cfi_index frames; /* .eh_frame */
	struct cfi_index
		debug_frames; /* .debug_frame; searched if frames does not cover an address */
	bool debug_looked_for;
	const unsigned char *debug; /* .debug_frame, borrowed from the object or unpacked */
	size_t debug_size;
	unsigned char *unpacked; /* debug, if the table owns it; else NULL */
	uint64_t header_address; /* address of .eh_frame_hdr: base of datarel */
	/* The function table of a Go program; searched if .eh_frame does not cover an address. */
	struct go_functions go;
	bool go_looked_for;
	uint32_t *go_compiled; /* as compiled in an index, by the function's number */
	struct cfi_function *functions;
	size_t function_count, function_alloc;
	struct cfi_cached cache[CFI_CACHE];
};

/* Indexes the functions of an object that has ELF headers; there may be none. */
void cfi_init(struct cfi_table *table, struct object *object, struct frame_rows *rows);
void cfi_release(struct cfi_table *table);
/* Returns the row for address, valid until the next call; NULL if there is none. */
const struct frame_row *cfi_find(struct cfi_table *table, uint64_t address);
/*
 * Finds the function whose call-frame information covers address; returns false if
 * there is none.
 */
bool cfi_function_at(struct cfi_table *table, uint64_t address, uint64_t *start, uint64_t *end);
/* Finds the range around address that no function of the index covers. */
void cfi_gap(struct cfi_table *table, uint64_t address, uint64_t *low, uint64_t *high);

/* Returns whether a function of .eh_frame starts at address. */
bool cfi_starts_at(const struct cfi_table *table, uint64_t address);

/*
 * Evaluates an expression. initial, unless NULL, is pushed first (the canonical
 * frame address); read reads size bytes of memory as a number.
 */
struct cfi_values {
	const uint64_t *registers;
	uint32_t known;
	bool (*read)(void *argument, uint64_t address, unsigned size, uint64_t *value);
	void *argument;
};
bool cfi_evaluate(const struct frame_expression *expression, const struct cfi_values *values,
		  const uint64_t *initial, uint64_t *result);

/* A common information entry. */
struct cfi_cie {
	uint64_t code_alignment;
	int64_t data_alignment;
	uint64_t return_register;
	uint8_t pointer_encoding;
	bool has_augmentation, signal;
	const unsigned char *program;
	size_t program_size;
};

/* A function's entry, as in the file. */
struct cfi_fde {
	struct cfi_cie cie;
	uint64_t start, end;
	const unsigned char *program;
	size_t program_size;
	uint64_t program_address; /* address of program[0], for relative operands */
};

/*
 * cfi-parse.c: find the functions, read an entry. Return false if there is none or
 * it is damaged.
 */
bool cfi_index_frames(struct cfi_table *table);
bool cfi_index_debug_frames(struct cfi_table *table);
bool cfi_read_fde(struct cfi_table *table, bool debug, uint32_t entry, struct cfi_fde *fde);

/* cfi-program.c: executes the programs of an entry and appends its rows. */
bool cfi_compile(struct cfi_table *table, const struct cfi_fde *fde, uint32_t *first_row,
		 uint32_t *row_count);

/* As cfi_compile, for a function of a Go program. */
bool cfi_compile_go(struct cfi_table *table, const struct go_function *function,
		    uint32_t *first_row, uint32_t *row_count);

#endif
