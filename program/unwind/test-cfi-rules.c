/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of hand-made call-frame instructions, expressions and entries that
 * compilers seldom write.
 */
#include "common/compat.h"
#include "program/unwind/cfi.h"

#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Compiles a function of 16 bytes at 0x1000 from the program of its CIE and its own program. */
static bool compile(const unsigned char *common, size_t common_size, const unsigned char *own,
		    size_t size, struct frame_rows *rows, uint32_t *count)
{
	struct cfi_table table = { .rows = rows };
	struct cfi_fde fde = {
		.cie = { .code_alignment = 2,
			 .data_alignment = -8,
			 .return_register = FRAME_RETURN,
			 .pointer_encoding = DW_EH_PE_udata4,
			 .program = common,
			 .program_size = common_size },
		.start = 0x1000,
		.end = 0x1010,
		.program = own,
		.program_size = size,
	};
	uint32_t first;

	memset(rows, 0, sizeof(*rows));
	return cfi_compile(&table, &fde, &first, count);
}

/* Returns the rule of register 3 in a row; RULE_UNSPECIFIED with value 0 if there is none. */
static struct frame_rule rule_of_three(const struct frame_rows *rows, const struct frame_row *row)
{
	for (unsigned i = 0; i < row->rule_count; i++)
		if (rows->rules[row->first_rule + i].number == 3)
			return rows->rules[row->first_rule + i];
	return (struct frame_rule){ 3, RULE_UNSPECIFIED, 0 };
}

static void each_instruction_gives_its_rule(void **state UNUSED)
{
	/* Offsets are in units of -8. */
	static const struct {
		unsigned char program[8];
		size_t size;
		unsigned kind;
		int value;
	} cases[] = {
		{ { DW_CFA_offset | 3, 2 }, 2, RULE_OFFSET, -16 },
		{ { DW_CFA_offset_extended, 3, 2 }, 3, RULE_OFFSET, -16 },
		{ { DW_CFA_offset_extended_sf, 3, 0x7e }, 3, RULE_OFFSET, 16 },
		{ { DW_CFA_GNU_negative_offset_extended, 3, 2 }, 3, RULE_OFFSET, 16 },
		{ { DW_CFA_val_offset, 3, 2 }, 3, RULE_VALUE_OFFSET, -16 },
		{ { DW_CFA_val_offset_sf, 3, 0x7e }, 3, RULE_VALUE_OFFSET, 16 },
		{ { DW_CFA_register, 3, 12 }, 3, RULE_REGISTER, 12 },
		{ { DW_CFA_register, 3, 16 }, 3, RULE_REGISTER, 16 },
		/* Not a tracked register: its value is unavailable. */
		{ { DW_CFA_register, 3, 17 }, 3, RULE_UNDEFINED, 0 },
		{ { DW_CFA_register, 3, 0xff, 0xff, 0x7f }, 5, RULE_UNDEFINED, 0 },
		{ { DW_CFA_undefined, 3 }, 2, RULE_UNDEFINED, 0 },
		{ { DW_CFA_same_value, 3 }, 2, RULE_SAME, 0 },
		{ { DW_CFA_expression, 3, 1, DW_OP_lit5 }, 4, RULE_EXPRESSION, 0 },
		{ { DW_CFA_val_expression, 3, 1, DW_OP_lit5 }, 4, RULE_VALUE_EXPRESSION, 0 },
		{ { DW_CFA_GNU_args_size, 8, DW_CFA_nop }, 3, RULE_UNSPECIFIED, 0 },
		{ { DW_CFA_offset_extended, 17, 2 }, 3, RULE_UNSPECIFIED, 0 },
	};
	static const unsigned char common[] = { DW_CFA_def_cfa, 7, 8 };
	struct frame_rows rows;
	uint32_t count;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct frame_rule rule;

		assert_true(compile(common, sizeof(common), cases[i].program, cases[i].size, &rows,
				    &count));
		assert_int_equal(count, 1);
		rule = rule_of_three(&rows, &rows.rows[0]);
		if (rule.kind != cases[i].kind || rule.value != cases[i].value)
			fail_msg("case %zu: kind %d value %d", i, rule.kind, rule.value);
		assert_int_equal(rows.rows[0].cfa_register, 7);
		frame_rows_release(&rows);
	}
}

/* The CIE's rule of a register, the stack of states, and the units of the location. */
static void states_are_restored(void **state UNUSED)
{
	static const unsigned char common[] = { DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 3, 4 };
	static const unsigned char own[] = {
		DW_CFA_offset | 3,
		2,
		DW_CFA_remember_state,
		DW_CFA_advance_loc | 1,
		DW_CFA_def_cfa_offset,
		24,
		DW_CFA_same_value,
		3,
		DW_CFA_advance_loc1,
		1,
		DW_CFA_restore_state,
		DW_CFA_advance_loc2,
		1,
		0,
		DW_CFA_restore | 3,
		DW_CFA_advance_loc4,
		1,
		0,
		0,
		0,
		DW_CFA_undefined,
		3,
		DW_CFA_set_loc,
		0x0c,
		0x10,
		0,
		0,
		DW_CFA_restore_extended,
		3,
	};
	static const struct {
		uint64_t start;
		int cfa;
		unsigned kind;
		int value;
	} expected[] = {
		{ 0x1000, 8, RULE_OFFSET, -16 },  { 0x1002, 24, RULE_SAME, 0 },
		{ 0x1004, 8, RULE_OFFSET, -16 },  { 0x1006, 8, RULE_OFFSET, -32 },
		{ 0x1008, 8, RULE_UNDEFINED, 0 }, { 0x100c, 8, RULE_OFFSET, -32 },
	};
	struct frame_rows rows;
	uint32_t count;

	assert_true(compile(common, sizeof(common), own, sizeof(own), &rows, &count));
	assert_int_equal(count, ARRAY_SIZE(expected));
	for (size_t i = 0; i < count; i++) {
		struct frame_rule rule = rule_of_three(&rows, &rows.rows[i]);

		assert_int_equal(rows.rows[i].start, expected[i].start);
		assert_int_equal(rows.rows[i].cfa_value, expected[i].cfa);
		assert_int_equal(rule.kind, expected[i].kind);
		assert_int_equal(rule.value, expected[i].value);
	}
	frame_rows_release(&rows);
}

static void programs_that_make_no_sense_are_refused(void **state UNUSED)
{
	static const struct {
		unsigned char program[8];
		size_t size;
	} cases[] = {
		{ { DW_CFA_restore_state }, 1 },
		{ { DW_CFA_register, FRAME_RETURN, 17 }, 3 },
		{ { DW_CFA_def_cfa, 16, 8 }, 3 },
		{ { DW_CFA_def_cfa, 7 }, 2 },
		{ { DW_CFA_expression, 3, 9, 0 }, 4 },
		{ { DW_CFA_set_loc, 0, 0, 0, 0 }, 5 }, /* backwards */
		{ { 0x3f, 3 }, 2 },
	};
	struct frame_rows rows;
	uint32_t count;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (compile(NULL, 0, cases[i].program, cases[i].size, &rows, &count))
			fail_msg("case %zu is taken", i);
		assert_int_equal(rows.row_count, 0);
		frame_rows_release(&rows);
	}
}

/* Memory for expressions: each address contains itself, truncated to the requested size. */
static bool read_address(void *argument UNUSED, uint64_t address, unsigned size, uint64_t *value)
{
	*value = size < 8 ? address & ((UINT64_C(1) << 8 * size) - 1) : address;
	return address != 0;
}

/* Evaluates an expression; register 3 is 0x1234, others are unknown. */
static bool evaluate(const unsigned char *code, size_t size, uint64_t *result)
{
	const uint64_t registers[FRAME_REGISTERS] = { [3] = 0x1234, [4] = 1 };
	struct cfi_values values = { registers, 1u << 3, read_address, NULL };

	return cfi_evaluate(&(struct frame_expression){ code, size }, &values, NULL, result);
}

#define MINUS(n) (DW_OP_lit0 + (n)), DW_OP_neg

static const struct {
	unsigned char code[12];
	size_t size;
	uint64_t result;
} operations[] = {
	{ { DW_OP_const1u, 0xff }, 2, 0xff },
	{ { DW_OP_const1s, 0xff }, 2, UINT64_MAX },
	{ { DW_OP_const2u, 0xfe, 0xff }, 3, 0xfffe },
	{ { DW_OP_const2s, 0xfe, 0xff }, 3, UINT64_MAX - 1 },
	{ { DW_OP_const4u, 0xfd, 0xff, 0xff, 0xff }, 5, 0xfffffffd },
	{ { DW_OP_const4s, 0xfd, 0xff, 0xff, 0xff }, 5, UINT64_MAX - 2 },
	{ { DW_OP_const8u, 1, 2, 0, 0, 0, 0, 0, 0x80 }, 9, 0x8000000000000201 },
	{ { DW_OP_constu, 0x80, 1 }, 3, 128 },
	{ { DW_OP_consts, 0x7f }, 2, UINT64_MAX },
	{ { DW_OP_breg3, 0x7c }, 2, 0x1230 },
	{ { DW_OP_bregx, 3, 4 }, 3, 0x1238 },
	{ { DW_OP_lit31 }, 1, 31 },
	{ { DW_OP_lit1, DW_OP_lit2, DW_OP_dup, DW_OP_plus }, 4, 4 },
	{ { DW_OP_lit1, DW_OP_lit2, DW_OP_over }, 3, 1 },
	{ { DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_pick, 2 }, 5, 1 },
	{ { DW_OP_lit1, DW_OP_lit2, DW_OP_drop }, 3, 1 },
	{ { DW_OP_lit9, DW_OP_lit2, DW_OP_swap }, 3, 9 },
	{ { DW_OP_lit9, DW_OP_lit2, DW_OP_swap, DW_OP_drop }, 4, 2 },
	{ { DW_OP_breg3, 0, DW_OP_deref }, 3, 0x1234 },
	{ { DW_OP_breg3, 0, DW_OP_deref_size, 1 }, 4, 0x34 },
	{ { MINUS(7), DW_OP_abs }, 3, 7 },
	{ { DW_OP_lit7, DW_OP_abs }, 2, 7 },
	{ { DW_OP_lit7, DW_OP_not }, 2, UINT64_MAX - 7 },
	{ { DW_OP_lit7, DW_OP_plus_uconst, 0x80, 1, DW_OP_nop }, 5, 135 },
	{ { DW_OP_lit9, DW_OP_lit2, DW_OP_minus }, 3, 7 },
	{ { DW_OP_lit9, DW_OP_lit2, DW_OP_mul }, 3, 18 },
	{ { DW_OP_lit9, DW_OP_lit3, DW_OP_and }, 3, 1 },
	{ { DW_OP_lit9, DW_OP_lit3, DW_OP_or }, 3, 11 },
	{ { DW_OP_lit9, DW_OP_lit3, DW_OP_xor }, 3, 10 },
	{ { MINUS(9), DW_OP_lit2, DW_OP_div }, 4, (uint64_t)-4 },
	{ { MINUS(1), DW_OP_lit10, DW_OP_mod }, 4, 5 },
	{ { DW_OP_lit1, DW_OP_const1u, 63, DW_OP_shl }, 4, UINT64_C(1) << 63 },
	{ { DW_OP_lit1, DW_OP_const1u, 64, DW_OP_shl }, 4, 0 },
	{ { MINUS(1), DW_OP_const1u, 63, DW_OP_shr }, 5, 1 },
	{ { MINUS(1), DW_OP_const1u, 65, DW_OP_shr }, 5, 0 },
	{ { MINUS(8), DW_OP_lit2, DW_OP_shra }, 4, (uint64_t)-2 },
	{ { MINUS(8), DW_OP_const1u, 64, DW_OP_shra }, 5, UINT64_MAX },
	{ { DW_OP_lit8, DW_OP_const1u, 65, DW_OP_shra }, 4, 0 },
	{ { MINUS(1), DW_OP_lit1, DW_OP_lt }, 4, 1 },
	{ { DW_OP_lit1, DW_OP_lit1, DW_OP_lt }, 3, 0 },
	{ { DW_OP_lit1, DW_OP_lit1, DW_OP_le }, 3, 1 },
	{ { DW_OP_lit1, MINUS(1), DW_OP_gt }, 4, 1 },
	{ { DW_OP_lit1, DW_OP_lit1, DW_OP_gt }, 3, 0 },
	{ { DW_OP_lit1, DW_OP_lit1, DW_OP_ge }, 3, 1 },
	{ { DW_OP_lit1, DW_OP_lit2, DW_OP_ge }, 3, 0 },
	{ { DW_OP_lit1, DW_OP_lit1, DW_OP_eq }, 3, 1 },
	{ { DW_OP_lit1, DW_OP_lit1, DW_OP_ne }, 3, 0 },
	/* A jump may lead to the end, and back. */
	{ { DW_OP_lit5, DW_OP_skip, 1, 0, DW_OP_lit7 }, 5, 5 },
	{ { DW_OP_lit5, DW_OP_lit0, DW_OP_bra, 1, 0, DW_OP_lit7 }, 6, 7 },
	{ { DW_OP_lit5, DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_lit7 }, 6, 5 },
	{ { DW_OP_lit3, DW_OP_lit1, DW_OP_minus, DW_OP_dup, DW_OP_bra, 0xfa, 0xff, DW_OP_lit6 },
	  8,
	  6 },
};

static void each_operation_gives_its_value(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++) {
		uint64_t result = 0;

		if (!evaluate(operations[i].code, operations[i].size, &result))
			fail_msg("case %zu fails", i);
		if (result != operations[i].result)
			fail_msg("case %zu gives %#" PRIx64, i, result);
	}
}

static void expressions_that_make_no_sense_fail(void **state UNUSED)
{
	static const struct {
		unsigned char code[8];
		size_t size;
	} cases[] = {
		{ { DW_OP_nop }, 1 },		   /* nothing on the stack */
		{ { DW_OP_breg4, 0 }, 2 },	   /* unknown */
		{ { DW_OP_bregx, 17, 0 }, 3 },	   /* no such register */
		{ { DW_OP_lit1, DW_OP_over }, 2 }, /* nothing below */
		{ { DW_OP_lit1, DW_OP_pick, 1 }, 3 },
		{ { DW_OP_lit1, DW_OP_plus }, 2 },
		{ { DW_OP_lit1, DW_OP_deref_size, 3 }, 3 },
		{ { DW_OP_lit0, DW_OP_deref }, 2 }, /* not readable */
		{ { DW_OP_lit1, DW_OP_lit0, DW_OP_mod }, 3 },
		{ { DW_OP_lit5, DW_OP_skip, 1, 0 }, 4 },       /* after the end */
		{ { DW_OP_lit5, DW_OP_skip, 0xfb, 0xff }, 4 }, /* before the start */
		{ { DW_OP_const2u, 1 }, 2 },
		{ { DW_OP_lit1, DW_OP_reg0 }, 2 },
	};
	uint64_t result;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (evaluate(cases[i].code, cases[i].size, &result))
			fail_msg("case %zu gives %#" PRIx64, i, result);
}

/* Appends a CIE with these letters and their data, and after it an FDE of 0x1000 to 0x1020. */
static void put_entries(struct strbuf *out, const char *letters, const char *data, size_t size)
{
	static const char fde[] = "\x0d\0\0\0" /* length */
				  "\0\0\0\0"   /* the CIE is at 0 */
				  "\0\x10\0\0" /* start and length, four bytes each */
				  "\x20\0\0\0"
				  "\0"; /* no augmentation data */
	size_t length = 4 + 1 + strlen(letters) + 1 + 3 + 1 + size;

	strbuf_reset(out);
	strbuf_add(out, (const char[]){ (char)length, 0, 0, 0 }, 4);
	strbuf_add(out, "\xff\xff\xff\xff\1", 5);
	strbuf_add(out, letters, strlen(letters) + 1);
	strbuf_add(out, "\1\x78\x10", 3);
	strbuf_addch(out, (char)size);
	strbuf_add(out, data, size);
	strbuf_add(out, fde, sizeof(fde) - 1);
}

/* The data of augmentation letters is in their order; data that is not needed is skipped. */
static void augmentations_are_read_in_their_order(void **state UNUSED)
{
	static const struct {
		const char *letters, *data;
		size_t size;
		bool signal;
	} cases[] = {
		{ "zR", "\3", 1, false },
		{ "zRS", "\3", 1, true },
		{ "zSR", "\3", 1, true },
		{ "zLR", "\x1b\3", 2, false },
		{ "zRL", "\3\x1b", 2, false },
		{ "zPLR", "\x3\1\2\3\4\x1b\3", 7, false },
		{ "zPR", "\0\1\2\3\4\5\6\7\x8\3", 10, false },
		{ "zRB", "\3", 1, false }, /* of another kind of processor */
	};
	struct strbuf bytes = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cfi_table table = { 0 };
		struct cfi_fde fde = { 0 };

		put_entries(&bytes, cases[i].letters, cases[i].data, cases[i].size);
		table.object = object_of_bytes(bytes.text, bytes.length, "entries");
		table.debug = (const unsigned char *)bytes.text;
		table.debug_size = bytes.length;
		if (!cfi_read_fde(&table, true, (uint32_t)(bytes.length - 17), &fde))
			fail_msg("%s is not read", cases[i].letters);
		assert_int_equal(fde.cie.pointer_encoding, DW_EH_PE_udata4);
		assert_int_equal(fde.cie.signal, cases[i].signal);
		assert_int_equal(fde.cie.data_alignment, -8);
		assert_int_equal(fde.start, 0x1000);
		assert_int_equal(fde.end, 0x1020);
		assert_int_equal(fde.program_size, 0);
		object_close(table.object);
	}
	strbuf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_instruction_gives_its_rule),
		cmocka_unit_test(states_are_restored),
		cmocka_unit_test(programs_that_make_no_sense_are_refused),
		cmocka_unit_test(each_operation_gives_its_value),
		cmocka_unit_test(expressions_that_make_no_sense_fail),
		cmocka_unit_test(augmentations_are_read_in_their_order),
	};

	return cmocka_run_group_tests_name("rules of call frames", tests, NULL, NULL);
}
