/* SPDX-License-Identifier: Apache-2.0 */
/* Executes the programs of a CIE and an FDE and stores the result as rows. */
#include "common/compat.h"
#include "program/unwind/cfi.h"

#include <dwarf.h>

#define MAX_REMEMBERED 16
#define MAX_ROWS 65536
/* Upper limit for the stack use of a Go function. */
#define GO_FRAME_MAX (INT64_C(1) << 30)
#define FRAME_POINTER 6 /* register number */
#define FRAME_STACK 7

struct rules {
	uint8_t kind[FRAME_REGISTERS];
	int32_t value[FRAME_REGISTERS];
	uint8_t cfa_kind, cfa_register;
	int32_t cfa_value;
};

struct program {
	struct cfi_table *table;
	const struct cfi_fde *fde;
	struct rules now, initial, remembered[MAX_REMEMBERED];
	unsigned depth;
	uint64_t location;
	uint32_t rows;
	bool in_cie, failed;
};

/* Stores the current rules as the row from location on. */
static void emit_row(struct program *program)
{
	struct frame_rule rules[FRAME_REGISTERS];
	struct frame_row row = { .start = program->location,
				 .cfa_kind = program->now.cfa_kind,
				 .cfa_register = program->now.cfa_register,
				 .cfa_value = program->now.cfa_value,
				 .signal = program->fde->cie.signal };

	for (uint8_t i = 0; i < FRAME_REGISTERS; i++)
		if (program->now.kind[i] != RULE_UNSPECIFIED)
			rules[row.rule_count++] = (struct frame_rule){ i, program->now.kind[i],
								       program->now.value[i] };
	frame_rows_add(program->table->rows, &row, rules);
	program->rows++;
}

/* Advances to a later instruction; the rules up to there become a row. */
static void advance(struct program *program, uint64_t to)
{
	if (program->in_cie || to < program->location || program->rows >= MAX_ROWS) {
		program->failed = true;
	} else if (to > program->location) {
		if (program->location < program->fde->end)
			emit_row(program);
		program->location = to;
	}
}

/* Sets the rule of a register; all but the general ones are ignored. */
static void set_rule(struct program *program, uint64_t number, uint8_t kind, int64_t value)
{
	if (number >= FRAME_REGISTERS)
		return;
	if (value != (int32_t)value)
		program->failed = true;
	program->now.kind[number] = kind;
	program->now.value[number] = (int32_t)value;
}

/*
 * Sets the rule "is in another register". If that register is not tracked, the
 * value is unavailable; for the return address that would look like the outermost
 * frame, so it fails.
 */
static void set_register(struct program *program, uint64_t number, uint64_t other)
{
	if (other < FRAME_REGISTERS)
		set_rule(program, number, RULE_REGISTER, (int64_t)other);
	else if (number == FRAME_RETURN)
		program->failed = true;
	else
		set_rule(program, number, RULE_UNDEFINED, 0);
}

/* Sets the rule "stored at CFA + factored * data alignment". */
static void set_offset(struct program *program, uint64_t number, uint8_t kind, int64_t factored)
{
	int64_t value;

	if (__builtin_mul_overflow(factored, program->fde->cie.data_alignment, &value))
		program->failed = true;
	else
		set_rule(program, number, kind, value);
}

/* Restores the CIE's rule for a register. */
static void restore(struct program *program, uint64_t number)
{
	if (number < FRAME_REGISTERS) {
		program->now.kind[number] = program->initial.kind[number];
		program->now.value[number] = program->initial.value[number];
	}
}

/* Sets the canonical frame address: register and offset. */
static void set_cfa(struct program *program, uint64_t number, int64_t offset)
{
	if (number >= FRAME_RETURN || offset != (int32_t)offset) {
		program->failed = true;
		return;
	}
	program->now.cfa_kind = RULE_REGISTER;
	program->now.cfa_register = (uint8_t)number;
	program->now.cfa_value = (int32_t)offset;
}

/* Returns a signed operand times the data alignment. */
static int64_t factored(struct program *program, struct cursor *cursor)
{
	int64_t value;

	if (__builtin_mul_overflow(cursor_sleb(cursor), program->fde->cie.data_alignment, &value))
		program->failed = true;
	return value;
}

/* Stores an expression; returns its number. */
static int32_t add_expression(struct program *program, struct cursor *cursor)
{
	struct frame_rows *rows = program->table->rows;
	uint64_t size = cursor_uleb(cursor);
	const unsigned char *bytes = cursor->at;

	cursor_skip(cursor, size);
	if (cursor->failed || rows->expression_count >= INT32_MAX)
		return 0;
	return frame_rows_add_expression(rows, (struct frame_expression){ bytes, (size_t)size });
}

/* Executes instructions about the canonical frame address; returns false for another one. */
static bool run_cfa(struct program *program, struct cursor *cursor, unsigned code)
{
	uint64_t number;

	switch (code) {
	case DW_CFA_def_cfa:
		number = cursor_uleb(cursor);
		set_cfa(program, number, (int64_t)cursor_uleb(cursor));
		return true;
	case DW_CFA_def_cfa_sf:
		number = cursor_uleb(cursor);
		set_cfa(program, number, factored(program, cursor));
		return true;
	case DW_CFA_def_cfa_register:
		set_cfa(program, cursor_uleb(cursor), program->now.cfa_value);
		return true;
	case DW_CFA_def_cfa_offset:
		set_cfa(program, program->now.cfa_register, (int64_t)cursor_uleb(cursor));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		set_cfa(program, program->now.cfa_register, factored(program, cursor));
		return true;
	case DW_CFA_def_cfa_expression:
		program->now.cfa_value = add_expression(program, cursor);
		program->now.cfa_kind = RULE_VALUE_EXPRESSION;
		return true;
	default:
		return false;
	}
}

/* Executes instructions that advance the location or save state; returns false for another one. */
static bool run_flow(struct program *program, struct cursor *cursor, unsigned code)
{
	uint64_t unit = program->fde->cie.code_alignment;

	switch (code) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_GNU_args_size:
		cursor_uleb(cursor);
		return true;
	case DW_CFA_set_loc:
		advance(program, cursor_encoded(cursor, program->fde->cie.pointer_encoding,
						program->table->header_address));
		return true;
	case DW_CFA_advance_loc1:
		advance(program, program->location + cursor_unsigned(cursor, 1) * unit);
		return true;
	case DW_CFA_advance_loc2:
		advance(program, program->location + cursor_unsigned(cursor, 2) * unit);
		return true;
	case DW_CFA_advance_loc4:
		advance(program, program->location + cursor_unsigned(cursor, 4) * unit);
		return true;
	case DW_CFA_remember_state:
		if (program->depth < MAX_REMEMBERED)
			program->remembered[program->depth++] = program->now;
		else
			program->failed = true;
		return true;
	case DW_CFA_restore_state:
		if (program->depth > 0)
			program->now = program->remembered[--program->depth];
		else
			program->failed = true;
		return true;
	default:
		return false;
	}
}

/* Executes instructions about one register, named by the first operand. */
static void run_register(struct program *program, struct cursor *cursor, unsigned code)
{
	uint64_t number = cursor_uleb(cursor);

	switch (code) {
	case DW_CFA_offset_extended:
		set_offset(program, number, RULE_OFFSET, (int64_t)cursor_uleb(cursor));
		break;
	case DW_CFA_offset_extended_sf:
		set_offset(program, number, RULE_OFFSET, cursor_sleb(cursor));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		set_offset(program, number, RULE_OFFSET,
			   -(int64_t)(cursor_uleb(cursor) & INT32_MAX));
		break;
	case DW_CFA_val_offset:
		set_offset(program, number, RULE_VALUE_OFFSET, (int64_t)cursor_uleb(cursor));
		break;
	case DW_CFA_val_offset_sf:
		set_offset(program, number, RULE_VALUE_OFFSET, cursor_sleb(cursor));
		break;
	case DW_CFA_restore_extended:
		restore(program, number);
		break;
	case DW_CFA_undefined:
		set_rule(program, number, RULE_UNDEFINED, 0);
		break;
	case DW_CFA_same_value:
		set_rule(program, number, RULE_SAME, 0);
		break;
	case DW_CFA_register:
		set_register(program, number, cursor_uleb(cursor));
		break;
	case DW_CFA_expression:
		set_rule(program, number, RULE_EXPRESSION, add_expression(program, cursor));
		break;
	case DW_CFA_val_expression:
		set_rule(program, number, RULE_VALUE_EXPRESSION, add_expression(program, cursor));
		break;
	default:
		program->failed = true;
	}
}

/* Executes one program to its end. */
static bool run(struct program *program, const unsigned char *bytes, size_t size, uint64_t address)
{
	struct cursor cursor = { bytes, bytes + size, address, false };

	while (cursor.at < cursor.end && !cursor.failed && !program->failed) {
		unsigned code = (unsigned)cursor_unsigned(&cursor, 1), low = code & 0x3f;

		if ((code & 0xc0) == DW_CFA_advance_loc)
			advance(program,
				program->location + low * program->fde->cie.code_alignment);
		else if ((code & 0xc0) == DW_CFA_offset)
			set_offset(program, low, RULE_OFFSET, (int64_t)cursor_uleb(&cursor));
		else if ((code & 0xc0) == DW_CFA_restore)
			restore(program, low);
		else if (!run_cfa(program, &cursor, code) && !run_flow(program, &cursor, code))
			run_register(program, &cursor, code);
	}
	return !cursor.failed && !program->failed;
}

bool cfi_compile(struct cfi_table *table, const struct cfi_fde *fde, uint32_t *first_row,
		 uint32_t *row_count)
{
	struct program program = { .table = table, .fde = fde, .location = fde->start };

	if (table->rows->row_count >= UINT32_MAX - MAX_ROWS - 1)
		return false;
	*first_row = (uint32_t)table->rows->row_count;
	program.in_cie = true;
	if (!run(&program, fde->cie.program, fde->cie.program_size, 0))
		return false;
	program.in_cie = false;
	program.initial = program.now;
	if (!run(&program, fde->program, fde->program_size, fde->program_address)) {
		table->rows->row_count = *first_row;
		return false;
	}
	if (program.location < fde->end)
		emit_row(&program);
	*row_count = program.rows;
	return program.rows > 0;
}

bool cfi_compile_go(struct cfi_table *table, const struct go_function *function,
		    uint32_t *first_row, uint32_t *row_count)
{
	/* In compiled code the frame pointer is stored below the return address. */
	const struct frame_rule rules[] = {
		{ FRAME_RETURN, function->outermost ? RULE_UNDEFINED : RULE_OFFSET, -8 },
		{ FRAME_POINTER, RULE_OFFSET, -16 },
	};
	struct go_frames frames;

	*first_row = (uint32_t)table->rows->row_count;
	go_frames_begin(&frames, &table->go, function);
	while (go_frames_next(&frames) && frames.from < function->end && frames.bytes >= 0 &&
	       frames.bytes < GO_FRAME_MAX && table->rows->row_count - *first_row < MAX_ROWS)
		frame_rows_add(
			table->rows,
			&(struct frame_row){
				.start = frames.from,
				.rule_count = frames.bytes >= 8 && !function->by_hand ? 2 : 1,
				.cfa_kind = RULE_REGISTER,
				.cfa_register = FRAME_STACK,
				.cfa_value = (int32_t)frames.bytes + 8,
				.switched = function->switches && !function->outermost,
			},
			rules);
	*row_count = (uint32_t)table->rows->row_count - *first_row;
	return *row_count > 0;
}
