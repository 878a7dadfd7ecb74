/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of call-frame tables: numbers, expressions, instructions, whole objects,
 * damaged objects.
 */
#include "common/compat.h"
#include "program/unwind/code-table.h"

#include "common/xalloc.h"
#include "program/unwind/decode.h"
#include "program/unwind/test-cfi-damage.h"

#include <dwarf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static void test_numbers(void **state)
{
	static const unsigned char bytes[] = {
		0xe5, 0x8e, 0x26, 0x9b, 0xf1, 0x59, 0xfe, 0xff, 0x80
	};
	struct cursor cursor = { bytes, bytes + sizeof(bytes), 0x1000, false };

	(void)state;
	assert_int_equal(cursor_uleb(&cursor), 624485);
	assert_int_equal(cursor_sleb(&cursor), -624485);
	assert_int_equal(cursor_signed(&cursor, 2), -2);
	assert_int_equal(cursor.address, 0x1008);
	assert_false(cursor.failed);
	cursor_uleb(&cursor); /* its last byte says that another follows */
	assert_true(cursor.failed);
	assert_int_equal(cursor_unsigned(&cursor, 4), 0);
}

static void test_pointers(void **state)
{
	static const unsigned char bytes[] = { 0xf0, 0xff, 0xff, 0xff, 0x10, 0, 0, 0, 1, 2, 3, 4 };
	struct cursor cursor = { bytes, bytes + sizeof(bytes), 0x1000, false };

	(void)state;
	assert_int_equal(cursor_encoded(&cursor, DW_EH_PE_pcrel | DW_EH_PE_sdata4, 0), 0xff0);
	assert_int_equal(cursor_encoded(&cursor, DW_EH_PE_datarel | DW_EH_PE_sdata4, 0x500), 0x510);
	assert_false(cursor.failed);
	cursor_encoded(&cursor, DW_EH_PE_indirect | DW_EH_PE_sdata4, 0);
	assert_true(cursor.failed);
}

/* Memory for expressions: each address contains twice itself. */
static bool read_twice(void *argument, uint64_t address, unsigned size, uint64_t *value)
{
	(void)argument;
	*value = address * 2;
	return size == 8;
}

static void test_expressions(void **state)
{
	/* The expression of linkage stubs: rsp + 8 + (((rip & 15) >= 11) << 3). */
	static const unsigned char stub[] = { DW_OP_breg7, 8,	      DW_OP_breg16, 0,
					      DW_OP_lit15, DW_OP_and, DW_OP_lit11,  DW_OP_ge,
					      DW_OP_lit3,  DW_OP_shl, DW_OP_plus };
	static const unsigned char memory[] = { DW_OP_plus_uconst, 4, DW_OP_deref };
	static const unsigned char endless[] = { DW_OP_skip, 0xfd, 0xff };
	static const unsigned char unknown[] = { DW_OP_breg6, 0 };
	static const unsigned char by_zero[] = { DW_OP_lit1, DW_OP_lit0, DW_OP_div };
	uint64_t registers[FRAME_REGISTERS] = { [7] = 0x100, [16] = 0x20b }, result, start = 16;
	struct cfi_values values = { registers, 1u << 7 | 1u << 16, read_twice, NULL };

	(void)state;
	assert_true(cfi_evaluate(&(struct frame_expression){ stub, sizeof(stub) }, &values, NULL,
				 &result));
	assert_int_equal(result, 0x110);
	registers[16] = 0x20a;
	assert_true(cfi_evaluate(&(struct frame_expression){ stub, sizeof(stub) }, &values, NULL,
				 &result));
	assert_int_equal(result, 0x108);
	assert_true(cfi_evaluate(&(struct frame_expression){ memory, sizeof(memory) }, &values,
				 &start, &result));
	assert_int_equal(result, 40);
	assert_false(cfi_evaluate(&(struct frame_expression){ endless, sizeof(endless) }, &values,
				  NULL, &result));
	assert_false(cfi_evaluate(&(struct frame_expression){ unknown, sizeof(unknown) }, &values,
				  NULL, &result));
	assert_false(cfi_evaluate(&(struct frame_expression){ by_zero, sizeof(by_zero) }, &values,
				  NULL, &result));
}

/* Executes a program of a function that must give one row, with a data alignment of -8. */
static void run_program(const unsigned char *program, size_t size, struct frame_rows *rows)
{
	struct cfi_table table = { .rows = rows };
	struct cfi_fde fde = {
		.cie = { .code_alignment = 1,
			 .data_alignment = -8,
			 .return_register = FRAME_RETURN },
		.start = 0x1000,
		.end = 0x1010,
		.program = program,
		.program_size = size,
	};
	uint32_t first, count;

	fde.cie.program = program; /* the common part is empty */
	memset(rows, 0, sizeof(*rows));
	assert_true(cfi_compile(&table, &fde, &first, &count));
	assert_int_equal(first, 0);
	assert_int_equal(count, 1);
}

static void test_signed_frame_addresses(void **state)
{
	/* Operands in units of the data alignment: -2 * -8, -3 * -8. */
	static const unsigned char both[] = { DW_CFA_def_cfa_sf, 7, 0x7e };
	static const unsigned char offset[] = { DW_CFA_def_cfa, 6, 8, DW_CFA_def_cfa_offset_sf,
						0x7d };
	static const unsigned char plain[] = { DW_CFA_def_cfa, 7, 16 };
	struct frame_rows rows;

	(void)state;
	run_program(both, sizeof(both), &rows);
	assert_int_equal(rows.rows[0].cfa_kind, RULE_REGISTER);
	assert_int_equal(rows.rows[0].cfa_register, 7);
	assert_int_equal(rows.rows[0].cfa_value, 16);
	frame_rows_release(&rows);
	run_program(offset, sizeof(offset), &rows);
	assert_int_equal(rows.rows[0].cfa_register, 6);
	assert_int_equal(rows.rows[0].cfa_value, 24);
	frame_rows_release(&rows);
	run_program(plain, sizeof(plain), &rows);
	assert_int_equal(rows.rows[0].cfa_value, 16);
	frame_rows_release(&rows);
}

/* rot: the top entry becomes the third, the second the top, the third the second. */
static void test_rotation(void **state)
{
	static const unsigned char code[] = { DW_OP_lit1, DW_OP_lit2, DW_OP_lit3,
					      DW_OP_rot,  DW_OP_drop, DW_OP_drop };
	static const uint64_t expected[] = { 2, 1, 3 };
	struct cfi_values values = { NULL, 0, read_twice, NULL };
	uint64_t result;

	(void)state;
	for (size_t dropped = 0; dropped < ARRAY_SIZE(expected); dropped++) {
		assert_true(cfi_evaluate(&(struct frame_expression){ code, 4 + dropped }, &values,
					 NULL, &result));
		assert_int_equal(result, expected[dropped]);
	}
}

/* An instruction: its bytes, its length and its meaning. */
struct decode_case {
	unsigned char bytes[12];
	unsigned length;
	enum instruction_kind kind;
	int number;
	int64_t value;
};

static void test_instructions(void **state)
{
	static const struct decode_case cases[] = {
		{ { 0x55 }, 1, INSTRUCTION_PUSH, 6, 0 },
		{ { 0x41, 0x57 }, 2, INSTRUCTION_PUSH, 15, 0 },
		{ { 0x41, 0x5c }, 2, INSTRUCTION_POP, 12, 0 },
		{ { 0x48, 0x83, 0xec, 0x18 }, 4, INSTRUCTION_ADJUST, -1, -24 },
		{ { 0x48, 0x81, 0xc4, 0, 1, 0, 0 }, 7, INSTRUCTION_ADJUST, -1, 256 },
		{ { 0x48, 0x89, 0xe5 }, 3, INSTRUCTION_COPY_STACK, 6, 0 },
		{ { 0x48, 0x8d, 0x65, 0xd8 }, 4, INSTRUCTION_STACK_FROM, 6, -40 },
		{ { 0x48, 0x8d, 0x64, 0x24, 0x08 }, 5, INSTRUCTION_STACK_FROM, 7, 8 },
		{ { 0x48, 0x83, 0xe4, 0xf0 }, 4, INSTRUCTION_STACK_LOST, -1, 0 },
		{ { 0x48, 0x89, 0x5c, 0x24, 0x10 }, 5, INSTRUCTION_SAVE, 3, 16 },
		{ { 0x48, 0x8b, 0x6c, 0x24, 0x10 }, 5, INSTRUCTION_LOAD, 6, 16 },
		{ { 0xe8, 1, 0, 0, 0 }, 5, INSTRUCTION_CALL, -1, 0 },
		{ { 0xff, 0x15, 1, 0, 0, 0 }, 6, INSTRUCTION_CALL, -1, 0 },
		{ { 0xff, 0x24, 0xc5, 1, 0, 0, 0 }, 7, INSTRUCTION_INDIRECT, -1, 0 },
		{ { 0x0f, 0x85, 1, 0, 0, 0 }, 6, INSTRUCTION_BRANCH, -1, 0 },
		{ { 0xeb, 0xfe }, 2, INSTRUCTION_JUMP, -1, 0 },
		{ { 0xf3, 0xc3 }, 2, INSTRUCTION_RETURN, -1, 0 },
		{ { 0xc9 }, 1, INSTRUCTION_LEAVE, -1, 0 },
		{ { 0x0f, 0x0b }, 2, INSTRUCTION_STOP, -1, 0 },
		{ { 0xc4, 0xe2, 0xfb, 0xf6, 0x06 }, 5, INSTRUCTION_OTHER, -1, 0 },	 /* mulx */
		{ { 0x66, 0x4c, 0x0f, 0x38, 0xf6, 0xc8 }, 6, INSTRUCTION_OTHER, -1, 0 }, /* adcx */
		{ { 0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x06 }, 6, INSTRUCTION_OTHER, -1, 0 }, /* EVEX */
		{ { 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 }, 10, INSTRUCTION_OTHER, -1, 0 },
		{ { 0x66, 0x0f, 0x3a, 0x0f, 0xc1, 8 }, 6, INSTRUCTION_OTHER, -1, 0 },
		{ { 0x0f, 0xa4, 0xc2, 3 }, 4, INSTRUCTION_OTHER, -1, 0 }, /* shld */
		{ { 0xf6, 0xc1, 1 }, 3, INSTRUCTION_OTHER, -1, 0 },	  /* test */
		{ { 0xf7, 0xe1 }, 2, INSTRUCTION_OTHER, -1, 0 },	  /* mul */
	};
	struct instruction instruction;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(decode_instruction(cases[i].bytes, 12, 0x1000, &instruction));
		if (instruction.length != cases[i].length || instruction.kind != cases[i].kind ||
		    instruction.number != cases[i].number || instruction.value != cases[i].value)
			fail_msg("case %zu: length %u kind %d number %d", i, instruction.length,
				 (int)instruction.kind, instruction.number);
		/* Truncated anywhere, it is not an instruction. */
		assert_false(decode_instruction(cases[i].bytes, cases[i].length - 1, 0x1000,
						&instruction));
	}
	assert_false(decode_instruction((const unsigned char[]){ 0x06, 0 }, 2, 0, &instruction));
}

static void test_calls(void **state)
{
	static const unsigned char direct[] = { 0x90, 0x90, 0x90, 0xe8, 0xfb, 0xff, 0xff, 0xff };
	static const unsigned char by_register[] = {
		0x90, 0x90, 0x90, 0x90, 0x90, 0x41, 0xff, 0xd4
	};
	static const unsigned char by_table[] = { 0x90, 0x90, 0xff, 0x15, 0x10, 0, 0, 0 };
	static const unsigned char none[] = { 0x90, 0x90, 0x90, 0x90, 0x90, 0x48, 0x89, 0xc3 };
	static const unsigned char stub[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff,
					      0x25, 0x10, 0,	0,    0 };
	struct call_site call;

	(void)state;
	assert_true(decode_call_before(direct, 8, 0x1000, &call));
	assert_true(call.direct && call.target == 0xffb);
	assert_true(decode_call_before(by_register, 8, 0x1000, &call));
	assert_true(!call.direct && call.slot == 0);
	assert_true(decode_call_before(by_table, 8, 0x1000, &call));
	assert_true(!call.direct && call.slot == 0x1010);
	assert_false(decode_call_before(none, 8, 0x1000, &call));
	assert_int_equal(decode_stub_slot(stub, sizeof(stub), 0x1000), 0x101b);
	assert_int_equal(decode_stub_depth(stub, sizeof(stub)), 8);
	assert_int_equal(decode_stub_slot(none, sizeof(none), 0x1000), 0);
}

static void test_system_calls(void **state)
{
	static const struct {
		unsigned char code[16];
		size_t size;
		long number; /* -1: not found */
	} cases[] = {
		{ { 0xb8, 0x23, 0, 0, 0, 0x0f, 0x05 }, 7, 35 },		    /* mov $35,%eax */
		{ { 0x31, 0xc0, 0x0f, 0x05 }, 4, 0 },			    /* xor %eax,%eax */
		{ { 0x48, 0xc7, 0xc0, 0x4a, 0, 0, 0, 0x0f, 0x05 }, 9, 74 }, /* mov $74,%rax */
		{ { 0x44, 0x89, 0xc0, 0x0f, 0x05 }, 5, 202 },		    /* mov %r8d,%eax */
		/* mov $202,%eax; xor $0x80,%sil */
		{ { 0xb8, 0xca, 0, 0, 0, 0x40, 0x80, 0xf6, 0x80, 0x0f, 0x05 }, 11, 202 },
		/* mov $202,%eax; mov %edx,%eax */
		{ { 0xb8, 0xca, 0, 0, 0, 0x89, 0xd0, 0x0f, 0x05 }, 9, 7 },
		/* mov $202,%eax; add $1,%eax */
		{ { 0xb8, 0xca, 0, 0, 0, 0x83, 0xc0, 0x01, 0x0f, 0x05 }, 10, -1 },
		{ { 0x90, 0x90, 0x90, 0x0f, 0x05 }, 5, -1 },
		{ { 0x89, 0xc8, 0x0f, 0x05 }, 4, -1 }, /* mov %ecx,%eax: the call changed it */
		{ { 0xb8, 0x23, 0, 0, 0, 0x0f, 0x34 }, 7, -1 },
		{ { 0xb8, 0, 0, 0, 0x40, 0x0f, 0x05 }, 7, -1 },
		{ { 0x0f, 0x05 }, 2, -1 },
	};
	const uint64_t registers[17] = { [1] = 7, [8] = 202 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		long number = -1;
		bool decoded = decode_system_call(cases[i].code, cases[i].size, registers, &number);

		assert_int_equal(decoded, cases[i].number >= 0);
		if (decoded)
			assert_int_equal(number, cases[i].number);
	}
}

/* Tests this program's own table, whose contents are partly known. */
static void test_own_table(void **state)
{
	struct object_list objects;
	const struct frame_row *row;
	struct code_table *table;
	struct object *object;
	struct stat st;
	uint64_t start, end;

	(void)state;
	object_list_init(&objects);
	assert_int_equal(stat("/proc/self/exe", &st), 0);
	object = object_for_file(&objects, "/proc/self/exe", st.st_dev, st.st_ino, getpid(), 0);
	table = code_table_of(object);
	assert_non_null(table);
	assert_true(table->cfi.frames.count > 10);
	/* The entry function of the program is the outermost frame. */
	row = cfi_find(&table->cfi, object->entry + 6);
	assert_non_null(row);
	assert_true(cfi_function_at(&table->cfi, object->entry, &start, &end));
	assert_int_equal(start, object->entry);
	assert_int_equal(table->rows.rules[row->first_rule].number, FRAME_RETURN);
	assert_int_equal(table->rows.rules[row->first_rule].kind, RULE_UNDEFINED);
	assert_null(cfi_find(&table->cfi, 0));
	assert_null(cfi_find(&table->cfi, UINT64_MAX));
	object_list_release(&objects);
}

/* A function covers its last byte, but not the one after it. */
static void test_function_ends(void **state)
{
	struct object_list objects;
	struct code_table *table;
	struct object *object;
	struct stat st;
	size_t gaps = 0;

	(void)state;
	object_list_init(&objects);
	assert_int_equal(stat("/proc/self/exe", &st), 0);
	object = object_for_file(&objects, "/proc/self/exe", st.st_dev, st.st_ino, getpid(), 0);
	table = code_table_of(object);
	assert_non_null(table);
	for (size_t i = 0; i < table->cfi.frames.count; i++) {
		uint64_t start = object->lowest_address + table->cfi.frames.starts[i], first, end;
		uint64_t other, other_end;

		assert_true(cfi_function_at(&table->cfi, start, &first, &end));
		assert_int_equal(first, start);
		assert_true(cfi_function_at(&table->cfi, end - 1, &other, &other_end));
		assert_int_equal(other, start);
		assert_non_null(cfi_find(&table->cfi, end - 1));
		if (cfi_function_at(&table->cfi, end, &other, &other_end)) {
			assert_int_equal(other, end);
			continue;
		}
		gaps++;
		cfi_gap(&table->cfi, end, &other, &other_end);
		assert_int_equal(other, end);
		assert_true(other_end > end);
	}
	assert_true(gaps > 0); /* functions are aligned, so most are followed by a gap */
	object_list_release(&objects);
}

/* Reads this program's file. */
static unsigned char *read_self(size_t *size)
{
	struct strbuf sb = STRBUF_INIT;

	assert_int_equal(strbuf_read_file(&sb, "/proc/self/exe"), 0);
	return (unsigned char *)strbuf_detach(&sb, size);
}

/* Returns a pseudo-random number that depends only on the previous ones. */
static uint64_t next_random(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

/* Damages a copy of an object in many ways; results may be missing, but nothing worse. */
static void damage(const unsigned char *bytes, size_t size, unsigned rounds)
{
	uint64_t random = 88172645463325252u;
	struct damage_counts sound = { 0 }, counts = { 0 };
	unsigned char *copy = xmalloc(size);

	damage_exercise(bytes, size, &sound);
	assert_true(sound.functions > 2 && sound.rows > 2);
	for (unsigned round = 0; round < rounds; round++) {
		size_t length = size;
		unsigned changes = 1 + (unsigned)(next_random(&random) % 40);

		memcpy(copy, bytes, size);
		for (unsigned i = 0; i < changes; i++) {
			uint64_t place = next_random(&random);

			/* Half of the damage hits the headers. */
			place = place & 1 ? (place >> 8) % (size < 1024 ? size : 1024)
					  : (place >> 8) % size;
			copy[place] = (unsigned char)(next_random(&random) >> 11);
		}
		if (round % 5 == 0)
			length = next_random(&random) % size;
		damage_exercise(copy, length, &counts);
	}
	free(copy);
}

static void test_damaged_vdso(void **state)
{
	uint64_t start = getauxval(AT_SYSINFO_EHDR);

	(void)state;
	if (start == 0) {
		print_message("# skipped: this kernel gives no vDSO\n");
		skip();
	}
	damage((const unsigned char *)(uintptr_t)start, 4096, 400);
}

static void test_damaged_program(void **state)
{
	size_t size;
	unsigned char *bytes = read_self(&size);

	(void)state;
	damage(bytes, size, 100);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_system_calls),
		cmocka_unit_test(test_own_table),
		cmocka_unit_test(test_damaged_vdso),
		cmocka_unit_test(test_damaged_program),
		cmocka_unit_test(test_signed_frame_addresses),
		cmocka_unit_test(test_rotation),
		cmocka_unit_test(test_function_ends),
	};

	return cmocka_run_group_tests_name("call-frame tables", tests, NULL, NULL);
}
