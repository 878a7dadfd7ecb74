/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the readers of ELF symbols, relocations and .eh_frame_hdr, on this
 * program itself and on bytes made here.
 */
#include "common/compat.h"
#include "program/objects/frame-header.h"
#include "program/objects/object-symbols.h"

#include <dwarf.h>
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* A function and a variable to look for. */
extern int test_object_symbols_marker;
int test_object_symbols_marker = 3;

/* Opens this program, to be read in ranges. */
static struct object *open_self(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	return object_of_descriptor(fd, "self");
}

/* Finds a symbol; returns false if there is none with that name. */
static bool find_symbol(struct object *object, const char *name, struct object_symbol *symbol)
{
	struct object_symbols symbols;

	object_symbols_begin(&symbols, object);
	while (object_symbols_next(&symbols, symbol))
		if (strcmp(symbol->name, name) == 0)
			return true;
	return false;
}

static void symbols_are_read(void **state UNUSED)
{
	struct object *object = open_self();
	struct object_symbol symbol;
	struct object_section section;

	assert_true(find_symbol(object, "test_object_symbols_marker", &symbol));
	assert_int_equal(symbol.type, STT_OBJECT);
	assert_int_equal(symbol.binding, STB_GLOBAL);
	assert_int_equal(symbol.size, sizeof(test_object_symbols_marker));
	assert_false(symbol.dynamic);
	assert_true(object_section_at(object, symbol.section, &section));
	assert_string_equal(section.name, ".data");
	assert_true(find_symbol(object, "main", &symbol));
	assert_int_equal(symbol.type, STT_FUNC);
	assert_true(object_code_end(object, symbol.address) > symbol.address);
	/* A function that is only called here is not one of its symbols. */
	assert_false(find_symbol(object, "strcmp", &symbol));
	/* Nor are its source files, whose names are among them. */
	assert_false(find_symbol(object, "test-object-symbols.c", &symbol));
	object_close(object);
}

/* Read as a whole, in ranges and from a copy, it has the same symbols. */
static void every_way_of_reading_gives_the_same(void **state UNUSED)
{
	struct object *stretches = open_self(), *copy;
	struct object_symbols first, second;
	struct object_symbol one, other;
	struct object_list list;
	struct object *mapped;
	struct strbuf bytes = STRBUF_INIT;
	struct stat st;
	size_t count = 0;

	assert_int_equal(strbuf_read_file(&bytes, "/proc/self/exe"), 0);
	copy = object_of_bytes(bytes.text, bytes.length, "copy");
	strbuf_release(&bytes);
	assert_int_equal(stat("/proc/self/exe", &st), 0);
	object_list_init(&list);
	mapped = object_for_file(&list, "/proc/self/exe", st.st_dev, st.st_ino, getpid(), 0);
	for (int i = 0; i < 2; i++) {
		object_symbols_begin(&first, stretches);
		object_symbols_begin(&second, i ? copy : mapped);
		for (count = 0; object_symbols_next(&first, &one); count++) {
			assert_true(object_symbols_next(&second, &other));
			assert_string_equal(one.name, other.name);
			assert_int_equal(one.address, other.address);
			assert_int_equal(one.section, other.section);
		}
		assert_false(object_symbols_next(&second, &other));
		assert_true(count > 20);
	}
	object_list_release(&list);
	object_close(copy);
	object_close(stretches);
}

static void large_tables_are_left_out(void **state UNUSED)
{
	struct object *object = open_self();
	struct object_section section;
	struct object_symbols symbols;
	struct object_symbol symbol;
	size_t count = 0;

	assert_true(object_section_named(object, ".symtab", &section));
	object_symbols_begin(&symbols, object);
	symbols.largest = section.size;
	while (object_symbols_next(&symbols, &symbol))
		count += !symbol.dynamic;
	assert_true(count > 0);
	object_symbols_begin(&symbols, object);
	symbols.largest = section.size - 1;
	while (object_symbols_next(&symbols, &symbol))
		assert_true(symbol.dynamic);
	object_close(object);
}

static void relocations_have_the_names_of_their_symbols(void **state UNUSED)
{
	struct object *object = open_self();
	struct object_relocations relocations;
	struct object_relocation relocation;
	bool found = false;

	object_relocations_begin(&relocations, object);
	while (object_relocations_next(&relocations, &relocation))
		found |= relocation.symbol && relocation.name &&
			 strcmp(relocation.name, "_cmocka_run_group_tests") == 0;
	assert_true(found);
	object_close(object);
}

static void stretches_end_with_the_file(void **state UNUSED)
{
	struct object *object = open_self();
	const unsigned char *whole;
	struct stat st;
	uint64_t size;

	assert_int_equal(stat("/proc/self/exe", &st), 0);
	size = (uint64_t)st.st_size;
	assert_non_null(object_part(object, size - 1, 1));
	assert_null(object_part(object, size - 1, 2));
	assert_null(object_part(object, size + 1, 0));
	assert_null(object_part(object, 1, UINT64_MAX));
	/* A part of a range already read is not read again. */
	whole = object_part(object, 4, 60);
	assert_ptr_equal(object_part(object, 10, 54), whole + 6);
	assert_memory_equal(object_part(object, 0, 4), ELFMAG, SELFMAG);
	object_close(object);
}

/* A rewritten file is a different one, even with the same length and within the same second. */
static void a_changed_file_is_not_read_on(void **state UNUSED)
{
	char path[] = "/tmp/test-object.XXXXXX";
	struct timespec times[2] = { { 1600000000, 500 }, { 1600000000, 500 } };
	int fd = mkstemp(path);
	struct object *object;

	assert_int_equal(write(fd, "one two three", 13), 13);
	assert_int_equal(futimens(fd, times), 0);
	object = object_of_descriptor(open(path, O_RDONLY | O_CLOEXEC), path);
	assert_memory_equal(object_part(object, 0, 3), "one", 3);
	assert_memory_equal(object_part(object, 4, 3), "two", 3);
	assert_int_equal(pwrite(fd, "ONE TWO THREE", 13, 0), 13);
	times[1].tv_nsec = 501;
	assert_int_equal(futimens(fd, times), 0);
	/* What was read before is unchanged. */
	assert_memory_equal(object_part(object, 4, 3), "two", 3);
	assert_null(object_part(object, 8, 5));
	object_close(object);
	close(fd);
	unlink(path);
}

/* A header at 0x1000 with functions at 0x800, 0x900 and 0xa00. */
static const unsigned char header_bytes[] = {
	1,
	DW_EH_PE_pcrel | DW_EH_PE_sdata4,
	DW_EH_PE_udata4,
	DW_EH_PE_datarel | DW_EH_PE_sdata4,
	0x0c,
	1,
	0,
	0, /* .eh_frame at 0x1004 + 0x10c */
	3,
	0,
	0,
	0,
	0x00,
	0xf8,
	0xff,
	0xff,
	0x20,
	1,
	0,
	0,
	0x00,
	0xf9,
	0xff,
	0xff,
	0x40,
	1,
	0,
	0,
	0x00,
	0xfa,
	0xff,
	0xff,
	0x60,
	1,
	0,
	0,
};

static void the_table_of_functions_is_searched(void **state UNUSED)
{
	struct frame_header header;
	struct cursor cursor;
	uint64_t start, end;

	assert_true(frame_header_read(&header, header_bytes, sizeof(header_bytes), 0x1000));
	assert_int_equal(header.frames, 0x1110);
	assert_int_equal(header.count, 3);
	cursor = header.entries;
	for (uint64_t i = 0; i < 3; i++) {
		assert_true(frame_header_next(&header, &cursor, &start, &end));
		assert_int_equal(start, 0x800 + 0x100 * i);
		assert_int_equal(end, 0x1120 + 0x20 * i);
	}
	assert_false(frame_header_next(&header, &cursor, &start, &end));
	assert_false(frame_header_find(&header, 0x7ff, &start, &end));
	assert_true(frame_header_find(&header, 0x800, &start, &end));
	assert_true(start == 0x800 && end == 0x900);
	assert_true(frame_header_find(&header, 0x8ff, &start, &end));
	assert_int_equal(start, 0x800);
	assert_true(frame_header_find(&header, 0x900, &start, &end));
	assert_true(start == 0x900 && end == 0xa00);
	assert_true(frame_header_find(&header, 0xa00, &start, &end));
	assert_true(start == 0xa00 && end == UINT64_MAX);
}

static void damaged_tables_of_functions_are_none(void **state UNUSED)
{
	unsigned char bytes[sizeof(header_bytes)];
	struct frame_header header;
	uint64_t start, end;

	/* Its last entry is one byte short. */
	assert_true(frame_header_read(&header, header_bytes, sizeof(header_bytes) - 1, 0x1000));
	assert_false(frame_header_find(&header, 0x800, &start, &end));
	/* Truncated within its fixed part. */
	assert_false(frame_header_read(&header, header_bytes, 7, 0x1000));
	assert_false(frame_header_read(&header, NULL, 0, 0x1000));
	memcpy(bytes, header_bytes, sizeof(bytes));
	bytes[0] = 2; /* an unknown version */
	assert_false(frame_header_read(&header, bytes, sizeof(bytes), 0x1000));
	bytes[0] = 1;
	bytes[3] = DW_EH_PE_omit; /* without a table */
	assert_true(frame_header_read(&header, bytes, sizeof(bytes), 0x1000));
	assert_int_equal(header.count, 0);
	assert_false(frame_header_find(&header, 0x800, &start, &end));
	bytes[3] = DW_EH_PE_datarel | DW_EH_PE_sdata8; /* in a format that no linker writes */
	assert_true(frame_header_read(&header, bytes, sizeof(bytes), 0x1000));
	assert_false(frame_header_find(&header, 0x800, &start, &end));
}

static void the_header_of_an_object_is_found(void **state UNUSED)
{
	struct object *object = open_self();
	struct object_symbol symbol;
	struct frame_header header;
	uint64_t start, end;

	assert_true(find_symbol(object, "main", &symbol));
	assert_true(frame_header_of(&header, object));
	assert_true(frame_header_find(&header, symbol.address + symbol.size - 1, &start, &end));
	assert_int_equal(start, symbol.address);
	assert_true(end >= symbol.address + symbol.size);
	object_close(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_are_read),
		cmocka_unit_test(every_way_of_reading_gives_the_same),
		cmocka_unit_test(large_tables_are_left_out),
		cmocka_unit_test(relocations_have_the_names_of_their_symbols),
		cmocka_unit_test(stretches_end_with_the_file),
		cmocka_unit_test(a_changed_file_is_not_read_on),
		cmocka_unit_test(the_table_of_functions_is_searched),
		cmocka_unit_test(damaged_tables_of_functions_are_none),
		cmocka_unit_test(the_header_of_an_object_is_found),
	};

	return cmocka_run_group_tests_name("symbols of objects", tests, NULL, NULL);
}
