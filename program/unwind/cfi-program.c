/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the programs of a CIE and an FDE and keeps what they say as rows. */
#include "common/compat.h"
#include "program/unwind/cfi.h"

#include "common/xalloc.h"

#include <dwarf.h>

#define MAX_REMEMBERED 16
#define MAX_ROWS 65536

struct rules {
	uint8_t kind[CFI_REGISTERS];
	int32_t value[CFI_REGISTERS];
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

void cfi_add_row(struct cfi_table *table, const struct cfi_row *row, const struct cfi_rule *rules)
{
	GROW(table->rows, table->row_count + 1, table->row_alloc);
	GROW(table->rules, table->rule_count + row->rule_count, table->rule_alloc);
	table->rows[table->row_count] = *row;
	table->rows[table->row_count++].first_rule = (uint32_t)table->rule_count;
	if (row->rule_count)
		memcpy(table->rules + table->rule_count, rules, row->rule_count * sizeof(*rules));
	table->rule_count += row->rule_count;
}

/* Keep what holds now as the row from location on. */
static void emit_row(struct program *program)
{
	struct cfi_rule rules[CFI_REGISTERS];
	struct cfi_row row = { .start = program->location,
			       .cfa_kind = program->now.cfa_kind,
			       .cfa_register = program->now.cfa_register,
			       .cfa_value = program->now.cfa_value,
			       .signal = program->fde->cie.signal };

	for (uint8_t i = 0; i < CFI_REGISTERS; i++)
		if (program->now.kind[i] != CFI_UNSPECIFIED)
			rules[row.rule_count++] =
				(struct cfi_rule){ i, program->now.kind[i], program->now.value[i] };
	cfi_add_row(program->table, &row, rules);
	program->rows++;
}

/* Go on to a later instruction: what held so far becomes a row. */
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

/* Set the rule of a register; others than the general ones are of no use here. */
static void set_rule(struct program *program, uint64_t number, uint8_t kind, int64_t value)
{
	if (number >= CFI_REGISTERS)
		return;
	if (value != (int32_t)value)
		program->failed = true;
	program->now.kind[number] = kind;
	program->now.value[number] = (int32_t)value;
}

/* Set a rule to "stored at CFA + factored * data alignment". */
static void set_offset(struct program *program, uint64_t number, uint8_t kind, int64_t factored)
{
	int64_t value;

	if (__builtin_mul_overflow(factored, program->fde->cie.data_alignment, &value))
		program->failed = true;
	else
		set_rule(program, number, kind, value);
}

/* Back to what the CIE said about a register. */
static void restore(struct program *program, uint64_t number)
{
	if (number < CFI_REGISTERS) {
		program->now.kind[number] = program->initial.kind[number];
		program->now.value[number] = program->initial.value[number];
	}
}

/* Set where the canonical frame address is: register and offset. */
static void set_cfa(struct program *program, uint64_t number, int64_t offset)
{
	if (number >= CFI_RETURN || offset != (int32_t)offset) {
		program->failed = true;
		return;
	}
	program->now.cfa_kind = CFI_REGISTER;
	program->now.cfa_register = (uint8_t)number;
	program->now.cfa_value = (int32_t)offset;
}

/* A signed operand times the data alignment. */
static int64_t factored(struct program *program, struct cfi_cursor *cursor)
{
	int64_t value;

	if (__builtin_mul_overflow(cfi_sleb(cursor), program->fde->cie.data_alignment, &value))
		program->failed = true;
	return value;
}

/* Keep an expression; returns its number. */
static int32_t add_expression(struct program *program, struct cfi_cursor *cursor)
{
	struct cfi_table *table = program->table;
	uint64_t size = cfi_uleb(cursor);
	const unsigned char *bytes = cursor->at;

	cfi_skip(cursor, size);
	if (cursor->failed || table->expression_count >= INT32_MAX)
		return 0;
	GROW(table->expressions, table->expression_count + 1, table->expression_alloc);
	table->expressions[table->expression_count] =
		(struct cfi_expression){ bytes, (size_t)size };
	return (int32_t)table->expression_count++;
}

/* Instructions about the canonical frame address; false when it is another. */
static bool run_cfa(struct program *program, struct cfi_cursor *cursor, unsigned code)
{
	uint64_t number;

	switch (code) {
	case DW_CFA_def_cfa:
		number = cfi_uleb(cursor);
		set_cfa(program, number, (int64_t)cfi_uleb(cursor));
		return true;
	case DW_CFA_def_cfa_sf:
		number = cfi_uleb(cursor);
		set_cfa(program, number, factored(program, cursor));
		return true;
	case DW_CFA_def_cfa_register:
		set_cfa(program, cfi_uleb(cursor), program->now.cfa_value);
		return true;
	case DW_CFA_def_cfa_offset:
		set_cfa(program, program->now.cfa_register, (int64_t)cfi_uleb(cursor));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		set_cfa(program, program->now.cfa_register, factored(program, cursor));
		return true;
	case DW_CFA_def_cfa_expression:
		program->now.cfa_value = add_expression(program, cursor);
		program->now.cfa_kind = CFI_VALUE_EXPRESSION;
		return true;
	default:
		return false;
	}
}

/* Instructions that move the location or keep state; false when it is another. */
static bool run_flow(struct program *program, struct cfi_cursor *cursor, unsigned code)
{
	uint64_t unit = program->fde->cie.code_alignment;

	switch (code) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_GNU_args_size:
		cfi_uleb(cursor);
		return true;
	case DW_CFA_set_loc:
		advance(program, cfi_encoded(cursor, program->fde->cie.pointer_encoding,
					     program->table->header_address));
		return true;
	case DW_CFA_advance_loc1:
		advance(program, program->location + cfi_unsigned(cursor, 1) * unit);
		return true;
	case DW_CFA_advance_loc2:
		advance(program, program->location + cfi_unsigned(cursor, 2) * unit);
		return true;
	case DW_CFA_advance_loc4:
		advance(program, program->location + cfi_unsigned(cursor, 4) * unit);
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

/* Instructions about one register, named by the first operand. */
static void run_register(struct program *program, struct cfi_cursor *cursor, unsigned code)
{
	uint64_t number = cfi_uleb(cursor);

	switch (code) {
	case DW_CFA_offset_extended:
		set_offset(program, number, CFI_OFFSET, (int64_t)cfi_uleb(cursor));
		break;
	case DW_CFA_offset_extended_sf:
		set_offset(program, number, CFI_OFFSET, cfi_sleb(cursor));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		set_offset(program, number, CFI_OFFSET, -(int64_t)(cfi_uleb(cursor) & INT32_MAX));
		break;
	case DW_CFA_val_offset:
		set_offset(program, number, CFI_VALUE_OFFSET, (int64_t)cfi_uleb(cursor));
		break;
	case DW_CFA_val_offset_sf:
		set_offset(program, number, CFI_VALUE_OFFSET, cfi_sleb(cursor));
		break;
	case DW_CFA_restore_extended:
		restore(program, number);
		break;
	case DW_CFA_undefined:
		set_rule(program, number, CFI_UNDEFINED, 0);
		break;
	case DW_CFA_same_value:
		set_rule(program, number, CFI_SAME, 0);
		break;
	case DW_CFA_register:
		set_rule(program, number, CFI_REGISTER, (int64_t)cfi_uleb(cursor));
		break;
	case DW_CFA_expression:
		set_rule(program, number, CFI_EXPRESSION, add_expression(program, cursor));
		break;
	case DW_CFA_val_expression:
		set_rule(program, number, CFI_VALUE_EXPRESSION, add_expression(program, cursor));
		break;
	default:
		program->failed = true;
	}
}

/* Run one program to its end. */
static bool run(struct program *program, const unsigned char *bytes, size_t size, uint64_t address)
{
	struct cfi_cursor cursor = { bytes, bytes + size, address, false };

	while (cursor.at < cursor.end && !cursor.failed && !program->failed) {
		unsigned code = (unsigned)cfi_unsigned(&cursor, 1), low = code & 0x3f;

		if ((code & 0xc0) == DW_CFA_advance_loc)
			advance(program,
				program->location + low * program->fde->cie.code_alignment);
		else if ((code & 0xc0) == DW_CFA_offset)
			set_offset(program, low, CFI_OFFSET, (int64_t)cfi_uleb(&cursor));
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

	if (table->row_count >= UINT32_MAX - MAX_ROWS - 1)
		return false;
	*first_row = (uint32_t)table->row_count;
	program.in_cie = true;
	if (!run(&program, fde->cie.program, fde->cie.program_size, 0))
		return false;
	program.in_cie = false;
	program.initial = program.now;
	if (!run(&program, fde->program, fde->program_size, fde->program_address)) {
		table->row_count = *first_row;
		return false;
	}
	if (program.location < fde->end)
		emit_row(&program);
	*row_count = program.rows;
	return program.rows > 0;
}
