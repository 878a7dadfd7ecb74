/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of symbol tables, and of symbol lists in text form. */
#include "common/compat.h"
#include "program/names/names-lists.h"
#include "program/names/test-names-subject.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

/* Overlapping entries of a perf map: the later one is the newer code, also at its end. */
static void newer_code_replaces_older(void **state UNUSED)
{
	static const struct {
		uint64_t address;
		const char *name; /* NULL: none */
	} cases[] = {
		{ 0x10fff, NULL },     { 0x11000, "old" },    { 0x110ff, "old" },
		{ 0x11100, "new" },    { 0x1113f, "new" },    { 0x11140, NULL },
		{ 0x111ff, NULL },     { 0x11200, "next" },   { 0x112ff, "next" },
		{ 0x11300, "behind" }, { 0x1130f, "behind" }, { 0x11310, NULL },
	};
	struct symbol_list list;
	struct strbuf path = STRBUF_INIT;

	subject_put("overlaps.map", "11000 200 old\n11100 40 new\n"
				    "11200 100 next\n11300 10 behind\n");
	strbuf_addf(&path, "%s/overlaps.map", subject_folder);
	symbol_list_init(&list);
	assert_true(symbol_list_read_map(&list, open(path.text, O_RDONLY)));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct symbol *symbol = symbol_table_find(&list.table, cases[i].address);

		if ((symbol ? strcmp(symbol->name, cases[i].name ? cases[i].name : "") : 0) ||
		    !symbol != !cases[i].name)
			fail_msg("%#" PRIx64 " is %s", cases[i].address,
				 symbol ? symbol->name : "nothing");
	}
	assert_int_equal(list.table.items[0].size, 0x100);
	assert_int_equal(list.table.items[2].size, 0x100);
	symbol_list_release(&list);
	strbuf_release(&path);
}

/* A hand-made symbol table, and the symbols of its addresses; next is where they may change. */
static void nested_symbols_are_found(void **state UNUSED)
{
	static const struct {
		uint64_t address, next;
		const char *name; /* NULL: none */
	} cases[] = {
		{ 0xff, 0x100, NULL },	   { 0x100, 0x140, "outer" },	{ 0x13f, 0x140, "outer" },
		{ 0x140, 0x160, "inner" }, { 0x15f, 0x160, "inner" },	{ 0x160, 0x180, "outer" },
		{ 0x17f, 0x180, "outer" }, { 0x180, 0x188, "last" },	{ 0x187, 0x188, "last" },
		{ 0x188, 0x1c0, "outer" }, { 0x1c0, 0x200, "outer" },	{ 0x1ff, 0x200, "outer" },
		{ 0x200, 0x240, "label" }, { 0x23f, 0x240, "label" },	{ 0x240, 0x250, "sized" },
		{ 0x24f, 0x250, "sized" }, { 0x250, UINT64_MAX, NULL },
	};
	static const struct symbol symbols[] = {
		{ .start = 0x100, .size = 0x100, .sized = true, .name = "outer" },
		{ .start = 0x140, .size = 0x20, .sized = true, .name = "inner" },
		{ .start = 0x180, .size = 8, .sized = true, .name = "last" },
		{ .start = 0x1c0, .limit = 0x1000, .name = "hidden" },
		{ .start = 0x200, .limit = 0x1000, .name = "label" },
		{ .start = 0x240, .size = 0x10, .sized = true, .name = "sized" },
	};
	struct symbol_table table;

	symbol_table_init(&table);
	for (size_t i = ARRAY_SIZE(symbols); i-- > 0;)
		symbol_table_add(&table, &symbols[i]);
	symbol_table_sort(&table);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct symbol *symbol = symbol_table_find(&table, cases[i].address);

		if ((symbol ? strcmp(symbol->name, cases[i].name ? cases[i].name : "") : 0) ||
		    !symbol != !cases[i].name)
			fail_msg("%#" PRIx64 " is %s", cases[i].address,
				 symbol ? symbol->name : "nothing");
		if (symbol_table_next(&table, cases[i].address) != cases[i].next)
			fail_msg("behind %#" PRIx64 " comes %#" PRIx64, cases[i].address,
				 symbol_table_next(&table, cases[i].address));
	}
	symbol_table_release(&table);
}

/*
 * Of several symbols at one address one is kept: one with a size, then the
 * highest-ranking, then the plainest name.
 */
static void the_best_symbol_of_an_address_is_kept(void **state UNUSED)
{
	static const struct symbol pairs[][2] = {
		{ { .size = 8, .sized = true, .rank = SYMBOL_LOCAL, .name = "x" },
		  { .limit = 0x200, .rank = SYMBOL_GLOBAL, .name = "a" } },
		{ { .size = 8, .sized = true, .rank = SYMBOL_GLOBAL, .name = "x" },
		  { .size = 9, .sized = true, .rank = SYMBOL_WEAK, .name = "a" } },
		{ { .size = 8, .sized = true, .rank = SYMBOL_WEAK, .name = "x" },
		  { .size = 9, .sized = true, .rank = SYMBOL_LOCAL, .name = "a" } },
		{ { .limit = 0x200, .rank = SYMBOL_LOCAL, .name = "x" },
		  { .limit = 0x200, .rank = SYMBOL_LABEL, .name = "a" } },
		{ { .size = 8, .sized = true, .rank = SYMBOL_GLOBAL, .name = "x" },
		  { .size = 9, .sized = true, .rank = SYMBOL_GLOBAL, .name = "_a" } },
		{ { .size = 8, .sized = true, .rank = SYMBOL_GLOBAL, .name = "_x" },
		  { .size = 9, .sized = true, .rank = SYMBOL_GLOBAL, .name = "__a" } },
		{ { .size = 8, .sized = true, .rank = SYMBOL_GLOBAL, .name = "a" },
		  { .size = 9, .sized = true, .rank = SYMBOL_GLOBAL, .name = "x" } },
	};

	for (size_t i = 0; i < 2 * ARRAY_SIZE(pairs); i++) {
		const struct symbol *pair = pairs[i / 2];
		struct symbol_table table;

		symbol_table_init(&table);
		symbol_table_add(&table, &pair[i % 2]);
		symbol_table_add(&table, &pair[1 - i % 2]);
		symbol_table_sort(&table);
		assert_int_equal(table.count, 1);
		assert_string_equal(table.items[0].name, pair->name);
		symbol_table_release(&table);
	}
}

/* The stubs of this program are in their sections, and none extends into another. */
static void stubs_end_with_their_section(void **state UNUSED)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct object *object = object_of_descriptor(fd, "self");
	struct object_section section;
	struct symbol_table table;
	size_t stubs = 0;

	symbol_table_init(&table);
	symbol_table_add_plt(&table, object);
	symbol_table_sort(&table);
	for (unsigned i = 1; object_section_at(object, i, &section); i++)
		for (size_t j = 0; j < table.count; j++) {
			const struct symbol *stub = &table.items[j];

			if (stub->start - section.address >= section.size || !section.address)
				continue;
			stubs++;
			assert_true(stub->start + stub->size <= section.address + section.size);
			if (j + 1 < table.count)
				assert_true(stub->start + stub->size <= stub[1].start);
		}
	assert_true(stubs > 10);
	assert_int_equal(stubs, table.count);
	symbol_table_release(&table);
	object_close(object);
}

static void perf_maps_are_read(void **state UNUSED)
{
	struct subject subject = { 0 };
	struct strbuf path = STRBUF_INIT;
	FILE *stream;

	strbuf_addf(&path, "/tmp/perf-%d.map", (int)getpid());
	stream = fopen(path.text, "w");
	assert_non_null(stream);
	fputs("7f0000001000 100 py::pay:/opt/pay.py\nnonsense\n"
	      "0x7f0000001200 40 LazyCompile:~rate pay.js:7\n7f0000001200\n-1 ffffffffffffffff x\n",
	      stream);
	fclose(stream);
	object_list_init(&subject.list);
	subject.object = object_for_memory(&subject.list, "//anon");
	subject.names = names_new();
	assert_int_equal(names_resolve(subject.names, subject.object, 0x7f00000010ff, getpid(),
				       subject.levels),
			 1);
	assert_string_equal(subject.levels[0].procedure, "py::pay:/opt/pay.py");
	assert_int_equal(names_resolve(subject.names, subject.object, 0x7f0000001210, getpid(),
				       subject.levels),
			 1);
	assert_string_equal(subject.levels[0].procedure, "LazyCompile:~rate pay.js:7");
	assert_int_equal(names_resolve(subject.names, subject.object, 0x7f0000001100, getpid(),
				       subject.levels),
			 0);
	/* A process without a map: the object says why. */
	assert_null(subject.object->note);
	assert_int_equal(
		names_resolve(subject.names, subject.object, 0x7f0000001000, 1, subject.levels), 0);
	assert_non_null(subject.object->note);
	subject_close(&subject);
	/* A map written by another user is not trusted. */
	if (!geteuid() && !chown(path.text, 65534, 65534)) {
		memset(&subject, 0, sizeof(subject));
		object_list_init(&subject.list);
		subject.object = object_for_memory(&subject.list, "//anon");
		subject.names = names_new();
		assert_int_equal(names_resolve(subject.names, subject.object, 0x7f00000010ff,
					       getpid(), subject.levels),
				 0);
		assert_non_null(strstr(subject.object->note, "another user"));
		subject_close(&subject);
	}
	unlink(path.text);
	strbuf_release(&path);
}

static void the_kernel_list_is_read(void **state UNUSED)
{
	struct symbol_list list;
	struct strbuf path = STRBUF_INIT, why = STRBUF_INIT;

	strbuf_addf(&path, "%s/kallsyms", subject_folder);
	subject_put("kallsyms", "ffffffff81000000 T _stext\nffffffff81000100 t do_work\n"
				"ffffffff81000200 D data\nffffffffc0000000 t ext4_read\t[ext4]\n");
	symbol_list_init(&list);
	assert_true(symbol_list_read_kernel(&list, path.text, &why));
	assert_string_equal(symbol_table_find(&list.table, 0xffffffff81000150)->name, "do_work");
	assert_string_equal(symbol_table_find(&list.table, 0xffffffffc0000010)->section, "ext4");
	/* Data is not code. */
	assert_int_equal(list.table.count, 3);
	symbol_list_release(&list);
	subject_put("kallsyms", "0000000000000000 T _stext\n0000000000000000 t do_work\n");
	symbol_list_init(&list);
	assert_false(symbol_list_read_kernel(&list, path.text, &why));
	assert_non_null(strstr(why.text, "hides"));
	symbol_list_release(&list);
	strbuf_release(&path);
	strbuf_release(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(newer_code_replaces_older),
		cmocka_unit_test(nested_symbols_are_found),
		cmocka_unit_test(the_best_symbol_of_an_address_is_kept),
		cmocka_unit_test(stubs_end_with_their_section),
		cmocka_unit_test(perf_maps_are_read),
		cmocka_unit_test(the_kernel_list_is_read),
	};

	return cmocka_run_group_tests_name("symbols", tests, subject_folder_make,
					   subject_folder_remove);
}
