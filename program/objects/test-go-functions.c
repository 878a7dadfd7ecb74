/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the function table of Go programs: tables of all versions are in this
 * program's own file.
 */
#include "common/compat.h"
#include "program/objects/go-functions.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define TEXT 0x401000

/* Two functions of 64 bytes. The common part of all versions after their heads: */
#define NAMES "main.half\0runtime.goexit"
/*
 * 0 bytes up to 4, 24 from there on; 0 bytes up to the end. Value and position,
 * each as a difference.
 */
#define FRAMES \
	{ \
		2, 4, 48, 60, 0, 0, 2, 64, 0 \
	}

/* Fields after the start, up to the number of a unit. */
struct fields {
	uint32_t name, arguments, deferred, frames, files, lines, data, unit;
};

struct table_16 {
	uint32_t magic, sizes;
	uint64_t functions, files, names_at, units_at, files_at, frames_at, table_at;
	char names[40];
	uint8_t frames[16];
	uint64_t entries[5];
	struct {
		uint64_t start;
		struct fields fields;
		uint8_t kind, flags, pad[6];
	} function[2];
};

struct table_18 {
	uint32_t magic, sizes;
	uint64_t functions, files, text, names_at, units_at, files_at, frames_at, table_at;
	char names[40];
	uint8_t frames[16];
	uint32_t entries[6];
	struct {
		uint32_t start;
		struct fields fields;
		uint8_t kind, flags, pad[2];
	} function[2];
};

struct table_20 {
	uint32_t magic, sizes;
	uint64_t functions, files, text, names_at, units_at, files_at, frames_at, table_at;
	char names[40];
	uint8_t frames[16];
	uint32_t entries[6];
	struct {
		uint32_t start;
		struct fields fields;
		uint32_t line;
		uint8_t kind, flags, pad[2];
	} function[2];
};

#define ENTRY(type, number) (offsetof(type, function[number]) - offsetof(type, entries))
/* 0 means no frame table: they begin one byte before. */
#define HEAD(type, magic_) \
	.magic = (magic_), .sizes = 0x08010000, .functions = 2, .names_at = offsetof(type, names), \
	.frames_at = offsetof(type, frames) - 1, .table_at = offsetof(type, entries), \
	.names = NAMES, .frames = FRAMES
#define FUNCTIONS(first, second) \
	.function = { { .start = (first), .fields = { .name = 0, .frames = 1 } }, \
		      { .start = (second), .fields = { .name = 10, .frames = 7 }, .flags = 5 } }

__attribute__((section(".table16"), used)) static const struct table_16 table_16 = {
	HEAD(struct table_16, 0xfffffffa),
	.entries = { TEXT, ENTRY(struct table_16, 0), TEXT + 64, ENTRY(struct table_16, 1),
		     TEXT + 128 },
	FUNCTIONS(TEXT, TEXT + 64),
};
__attribute__((section(".table18"), used)) static const struct table_18 table_18 = {
	HEAD(struct table_18, 0xfffffff0),
	.text = TEXT,
	.entries = { 0, ENTRY(struct table_18, 0), 64, ENTRY(struct table_18, 1), 128 },
	FUNCTIONS(0, 64),
};
__attribute__((section(".table20"), used)) static const struct table_20 table_20 = {
	HEAD(struct table_20, 0xfffffff1),
	.text = TEXT,
	.entries = { 0, ENTRY(struct table_20, 0), 64, ENTRY(struct table_20, 1), 128 },
	FUNCTIONS(0, 64),
};

static struct object *own;

static int set_up(void **state UNUSED)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	own = fd < 0 ? NULL : object_of_descriptor(fd, "self");
	return own && object_headers(own) ? 0 : -1;
}

static int tear_down(void **state UNUSED)
{
	object_close(own);
	return 0;
}

static void open_named(struct go_functions *functions, const char *name)
{
	struct object_section section;

	assert_true(object_section_named(own, name, &section));
	assert_true(go_functions_open_at(functions, own, &section, 0));
}

static void check_frames(const struct go_functions *functions, const struct go_function *function)
{
	struct go_frames frames;

	go_frames_begin(&frames, functions, function);
	assert_true(go_frames_next(&frames));
	assert_int_equal(frames.from, TEXT);
	assert_int_equal(frames.to, TEXT + 4);
	assert_int_equal(frames.bytes, 0);
	assert_true(go_frames_next(&frames));
	assert_int_equal(frames.to, TEXT + 64);
	assert_int_equal(frames.bytes, 24);
	assert_false(go_frames_next(&frames));
}

static void functions_of_every_form_are_found(void **state UNUSED)
{
	static const char *const names[] = { ".table16", ".table18", ".table20" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct go_functions functions;
		struct go_function function;

		open_named(&functions, names[i]);
		assert_int_equal(functions.count, 2);
		assert_false(go_function_find(&functions, TEXT - 1, &function));
		assert_false(go_function_find(&functions, TEXT + 128, &function));
		assert_true(go_function_find(&functions, TEXT + 63, &function));
		assert_string_equal(function.name, "main.half");
		assert_int_equal(function.start, TEXT);
		assert_int_equal(function.end, TEXT + 64);
		assert_false(function.outermost || function.by_hand || function.switches);
		check_frames(&functions, &function);
		assert_true(go_function_find(&functions, TEXT + 64, &function));
		assert_string_equal(function.name, "runtime.goexit");
		assert_true(function.outermost && function.by_hand && !function.switches);
	}
}

static void other_programs_have_no_table(void **state UNUSED)
{
	struct go_functions functions;
	struct go_function function;

	assert_false(go_functions_open(&functions, own));
	assert_false(go_function_find(&functions, TEXT, &function));
}

/* Reads everything in a table. */
static unsigned walk_table(const struct go_functions *functions)
{
	unsigned seen = 0;

	for (size_t i = 0; i < functions->count; i++) {
		struct go_function function;
		struct go_frames frames;

		go_function_find(functions, TEXT + i * 64, &function);
		if (!go_function_at(functions, i, &function))
			continue;
		seen += (unsigned)strlen(function.name) + 1;
		go_frames_begin(&frames, functions, &function);
		while (go_frames_next(&frames))
			seen++;
	}
	return seen;
}

/* The sanitizers detect reads beyond the table. */
static void damaged_tables_are_read_within_their_bounds(void **state UNUSED)
{
	struct go_functions functions;
	unsigned whole, others = 0, number = 1;

	open_named(&functions, ".table20");
	whole = walk_table(&functions);
	for (unsigned round = 0; round < 20000; round++) {
		struct go_functions damaged = functions;
		size_t size = sizeof(table_20) - round % 7 * 8;
		unsigned char *copy = malloc(size);

		assert_non_null(copy);
		memcpy(copy, &table_20, size);
		for (unsigned i = 0; i < 1 + round % 4; i++) {
			number = number * 1103515245 + 12345;
			copy[(number >> 8) % size] = (unsigned char)(number >> 24);
		}
		damaged.bytes = copy;
		damaged.size = size;
		others += walk_table(&damaged) != whole;
		free(copy);
	}
	assert_true(others > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_every_form_are_found),
		cmocka_unit_test(other_programs_have_no_table),
		cmocka_unit_test(damaged_tables_are_read_within_their_bounds),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
