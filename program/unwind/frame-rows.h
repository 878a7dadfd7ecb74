/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows: where a function saves its caller's registers, from one of its
 * instructions up to the next row. Call-frame information (cfi.h) and the code of
 * routines without it (routine.h) are both converted to rows, once, and the walk
 * applies them alike (walk.h).
 *
 * All rows of an object are in one struct frame_rows; those of a function are
 * contiguous, by address. A row is identified by its number; pointers to rows are
 * valid until the next frame_rows_add.
 */
#ifndef VIGIL_PROGRAM_UNWIND_FRAME_ROWS_H
#define VIGIL_PROGRAM_UNWIND_FRAME_ROWS_H

#include "common/compat.h"

#define FRAME_REGISTERS 17 /* same as UNWIND_REGISTERS */
#define FRAME_RETURN 16	   /* number of the return address column */
#define FRAME_NO_ROW UINT32_MAX

enum frame_rule_kind {
	RULE_UNSPECIFIED = 0,
	RULE_UNDEFINED,	       /* unavailable; for the return address: outermost frame */
	RULE_SAME,	       /* unchanged */
	RULE_OFFSET,	       /* stored at CFA + value */
	RULE_VALUE_OFFSET,     /* is CFA + value */
	RULE_REGISTER,	       /* is in register number value */
	RULE_EXPRESSION,       /* stored at the address that expression number value gives */
	RULE_VALUE_EXPRESSION, /* is the result of expression number value */
};

struct frame_rule {
	uint8_t number; /* register, in DWARF's numbers */
	uint8_t kind;	/* enum frame_rule_kind */
	int32_t value;
};

/* The rules that hold from start up to the next row of the function. */
struct frame_row {
	uint64_t start;
	uint32_t first_rule; /* index in the table's rules */
	uint8_t rule_count;
	uint8_t cfa_kind; /* RULE_REGISTER: cfa_register + cfa_value; RULE_VALUE_EXPRESSION; else
			   * none */
	uint8_t cfa_register;
	bool signal; /* the return of a signal handler: the caller was interrupted, it did not
		      * call */
	bool switched; /* its callees execute on another stack */
	int32_t cfa_value;
};

struct frame_expression {
	const unsigned char *bytes; /* points into the object's image */
	size_t size;
};

struct frame_rows {
	struct frame_row *rows;
	size_t row_count, row_alloc;
	struct frame_rule *rules;
	size_t rule_count, rule_alloc;
	struct frame_expression *expressions;
	size_t expression_count, expression_alloc;
};

void frame_rows_release(struct frame_rows *rows);
/* Appends a row and its rules (rows of a function must come by address). */
void frame_rows_add(struct frame_rows *rows, const struct frame_row *row,
		    const struct frame_rule *rules);
/* Appends an expression; returns its number. */
int32_t frame_rows_add_expression(struct frame_rows *rows, struct frame_expression expression);
/*
 * Returns the number of the row for address among count rows from first on;
 * FRAME_NO_ROW if the first one begins after it.
 */
uint32_t frame_rows_find(const struct frame_rows *rows, uint32_t first, uint32_t count,
			 uint64_t address);

#endif
