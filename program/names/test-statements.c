/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the list of all statements of programs compiled here with names_resolve. */
#include "common/compat.h"
#include "program/names/names-unit.h"
#include "program/names/statements.h"
#include "program/names/test-names-subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* Returns a place of the list at an address on a level, or NULL. */
static const struct statement_place *place_at(const struct statement_list *list, uint64_t address,
					      size_t level)
{
	size_t first, count = statement_list_at(list, address, &first);

	for (size_t i = first; i < first + count; i++)
		if (list->places[list->by_address[i]].level == level)
			return &list->places[list->by_address[i]];
	return NULL;
}

/* Fails unless a statement equals a level returned by names_resolve. */
static void assert_agrees(const struct statement *statement, const struct name *level,
			  uint64_t address)
{
	if (strcmp(statement->procedure, level->procedure) ||
	    strcmp(statement->section, level->section) || strcmp(statement->file, level->file) ||
	    strcmp(statement->language, level->language) || statement->line != level->line)
		fail_msg("%#" PRIx64 ": %s %s:%ju in the list, %s %s:%ju by its name", address,
			 statement->procedure, statement->file, (uintmax_t)statement->line,
			 level->procedure, level->file, (uintmax_t)level->line);
}

/*
 * Checks that every line of an address, at any level, has a place there; returns
 * how many were seen.
 */
static size_t check_addresses(struct subject *subject, const struct statement_list *list)
{
	size_t seen = 0;

	for (uint64_t at = subject->start; at < subject->end; at++) {
		size_t first, places = 0,
			      count = names_resolve(subject->names, subject->object, at, 0,
						    subject->levels);

		for (size_t level = 0; level < count; level++) {
			const struct statement_place *place = place_at(list, at, level);

			if (!subject->levels[level].line) {
				assert_null(place);
				continue;
			}
			if (!place)
				fail_msg("%#" PRIx64 " %s line %ju is in no statement", at,
					 subject->levels[level].procedure,
					 (uintmax_t)subject->levels[level].line);
			assert_agrees(&list->items[place->statement], &subject->levels[level], at);
			places++;
		}
		assert_int_equal(statement_list_at(list, at, &first), places);
		seen += places;
	}
	return seen;
}

/* Checks that every place resolves back to its statement, at its first and at its last byte. */
static void check_places(struct subject *subject, const struct statement_list *list)
{
	for (size_t i = 0; i < list->place_count; i++) {
		const struct statement_place *place = &list->places[i];
		uint64_t ends[] = { place->start, place->end - 1 };

		assert_true(place->start < place->end);
		for (size_t j = 0; j < ARRAY_SIZE(ends); j++) {
			assert_true(names_resolve(subject->names, subject->object, ends[j], 0,
						  subject->levels) > place->level);
			assert_agrees(&list->items[place->statement],
				      &subject->levels[place->level], ends[j]);
		}
	}
}

/* Checks that every statement has places and is found by its name, once. */
static void check_names(const struct statement_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct statement *statement = &list->items[i];
		size_t first,
			count = statement_list_find(list, statement->section, statement->procedure,
						    statement->line, &first);

		assert_true(statement->line > 0 && statement->place_count > 0);
		assert_int_equal(list->places[statement->first].statement, i);
		assert_int_equal(
			list->places[statement->first + statement->place_count - 1].statement, i);
		assert_true(count >= 1 && i >= first && i < first + count);
		for (size_t j = first; j < first + count; j++)
			assert_true(j == i || strcmp(list->items[j].file, statement->file) != 0);
	}
}

/* Lists a program's statements and compares them with its names. */
static void open_checked(struct subject *subject, struct statement_list *list, const char *name)
{
	subject_open(subject, name);
	statement_list_read(list, subject->names, subject->object);
	assert_true(list->whole);
	assert_true(list->count > 0 && list->place_count >= list->count);
	assert_true(check_addresses(subject, list) >= list->place_count);
	check_places(subject, list);
	check_names(list);
}

static void close_checked(struct subject *subject, struct statement_list *list)
{
	statement_list_release(list);
	subject_close(subject);
}

/* Compares the lines of a procedure with a text: "10 11 14". */
static void assert_lines(const struct statement_list *list, const char *section,
			 const char *procedure, const char *expected)
{
	struct strbuf lines = STRBUF_INIT;
	size_t first, count = statement_list_find(list, section, procedure, 0, &first);

	for (size_t i = first; i < first + count; i++)
		strbuf_addf(&lines, i > first ? " %ju" : "%ju", (uintmax_t)list->items[i].line);
	assert_string_equal(lines.text, expected);
	strbuf_release(&lines);
}

static const char c_source[] = "static int part(int x)\n"
			       "{\n"
			       "	return x / 7;\n"
			       "}\n"
			       "int count(int x)\n"
			       "{\n"
			       "	int sum = 0;\n"
			       "	while (x > 0) {\n"
			       "		sum += x;\n"
			       "		x = part(x);\n"
			       "	}\n"
			       "	return sum;\n"
			       "}\n"
			       "int main(int argc, char **argv)\n"
			       "{\n"
			       "	(void)argv;\n"
			       "	return count(argc);\n"
			       "}\n";

static void every_line_of_c_is_listed(void **state UNUSED)
{
	struct statement_list list;
	struct subject subject;
	size_t first;

	subject_put("count.c", c_source);
	assert_true(subject_run("gcc -g -O0 -o count count.c"));
	open_checked(&subject, &list, "count");
	assert_lines(&list, "count.c", "part", "2 3 4");
	assert_lines(&list, "count.c", "count", "6 7 8 9 10 12 13");
	assert_lines(&list, "count.c", "main", "15 17 18");
	assert_int_equal(statement_list_find(&list, "count.c", NULL, 0, &first), 13);
	assert_int_equal(first, 0);
	assert_int_equal(statement_list_find(&list, NULL, NULL, 0, &first), 13);
	assert_int_equal(statement_list_find(&list, "count.c", "count", 11, &first), 0);
	assert_int_equal(statement_list_find(&list, "other.c", NULL, 0, &first), 0);
	/* The loop's condition is placed after its body, and jumped to from before. */
	assert_int_equal(statement_list_find(&list, "count.c", "count", 8, &first), 1);
	assert_true(list.items[first].place_count >= 2);
	assert_true(list.places[list.items[first].first].begins);
	assert_string_equal(list.items[first].language, "C");
	assert_string_equal(names_source_line(subject.names, list.items[first].file, 8),
			    "while (x > 0) {");
	close_checked(&subject, &list);
}

static void inlined_statements_are_listed(void **state UNUSED)
{
	struct statement_list list;
	struct subject subject;
	size_t first, inlined = 0;

	subject_put("count.c", c_source);
	assert_true(subject_run("gcc -g -O2 -fno-ipa-icf -o count2 count.c"));
	open_checked(&subject, &list, "count2");
	/* part has no code of its own, but its line has. */
	assert_int_equal(statement_list_find(&list, "count.c", "part", 3, &first), 1);
	for (size_t i = 0; i < list.items[first].place_count; i++)
		assert_int_equal(list.places[list.items[first].first + i].level, 0);
	/* The call is a statement of count, at the instructions that replaced it. */
	assert_int_equal(statement_list_find(&list, "count.c", "count", 10, &first), 1);
	for (size_t i = 0; i < list.items[first].place_count; i++)
		if (list.places[list.items[first].first + i].level > 0)
			inlined++;
	/* What begins there is a statement of part; that of count began before. */
	for (size_t i = 0; i < list.place_count; i++)
		assert_false(list.places[i].begins && list.places[i].level > 0);
	assert_true(inlined > 0);
	close_checked(&subject, &list);
}

/* Two statements on one line are one entry with two places, each marked as a beginning. */
static void a_line_begins_with_each_of_its_statements(void **state UNUSED)
{
	struct statement_list list;
	struct subject subject;
	size_t first, begins = 0;

	subject_put("twice.c", "int twice(int x)\n"
			       "{\n"
			       "	x += 2; x *= 3; x -= 4;\n"
			       "	return x;\n"
			       "}\n");
	assert_true(subject_run("gcc -g -O0 -shared -fPIC -o twice.so twice.c"));
	open_checked(&subject, &list, "twice.so");
	assert_int_equal(statement_list_find(&list, "twice.c", "twice", 3, &first), 1);
	for (size_t i = 0; i < list.items[first].place_count; i++)
		begins += list.places[list.items[first].first + i].begins;
	assert_int_equal(begins, 3);
	close_checked(&subject, &list);
}

/*
 * The code of one section may end where that of another begins: a row of the line
 * table for the end belongs to no instruction.
 */
static void lines_end_with_their_section(void **state UNUSED)
{
	struct statement_list list;
	struct subject subject;
	size_t first;

	subject_put("ends.c", "int one(int x)\n{\n	return x + 1;\n}\n"
			      "int two(int x)\n{\n	return x + 2;\n}\n");
	assert_true(subject_run("gcc -g -O0 -fPIC -ffunction-sections -S ends.c"));
	assert_true(subject_run("sed 's/\\.loc 1 6 1$/.loc 1 6 1 is_stmt 0/' ends.s >stmt.s && "
				"! cmp ends.s stmt.s && gcc -shared -o stmt.so stmt.s"));
	open_checked(&subject, &list, "stmt.so");
	assert_int_equal(statement_list_find(&list, "ends.c", "two", 6, &first), 1);
	for (size_t i = 0; i < list.items[first].place_count; i++)
		assert_false(list.places[list.items[first].first + i].begins);
	close_checked(&subject, &list);
}

/* A row without a line continues the line before it, but not past the end of a section's code. */
static void rows_without_a_line_go_on_with_the_last(void **state UNUSED)
{
	static struct line_row rows[] = {
		{ .address = 0x100, .line = 3 },
		{ .address = 0x104, .line = 0 },
		{ .address = 0x108, .line = 0 },
		{ .address = 0x110, .line = 4, .end = true },
		{ .address = 0x110, .line = 0 },
		{ .address = 0x118, .line = 7 },
		{ .address = 0x120, .line = 7, .end = true },
	};
	const struct unit unit = { .rows = rows, .row_count = ARRAY_SIZE(rows) };

	assert_null(unit_row_with_line(&unit, 0xff));
	assert_ptr_equal(unit_row_with_line(&unit, 0x103), &rows[0]);
	assert_ptr_equal(unit_row_with_line(&unit, 0x104), &rows[0]);
	assert_ptr_equal(unit_row_with_line(&unit, 0x10f), &rows[0]);
	assert_ptr_equal(unit_row_with_line(&unit, 0x110), &rows[4]);
	assert_ptr_equal(unit_row_with_line(&unit, 0x11f), &rows[5]);
	assert_null(unit_row_with_line(&unit, 0x120));
}

/* The ranges of one owner, in any order. */
static void pieces_are_summed_from_the_lowest_on(void **state UNUSED)
{
	static struct code_range items[] = {
		{ .start = 0x200, .end = 0x210, .owner = 1 },
		{ .start = 0x80, .end = 0x90, .owner = 2 },
		{ .start = 0x100, .end = 0x180, .owner = 1 },
		{ .start = 0x300, .end = 0x301, .owner = 1 },
	};
	const struct range_list list = { .items = items, .count = ARRAY_SIZE(items) };
	uint64_t start, size;

	range_list_extent(&list, 1, &start, &size);
	assert_int_equal(start, 0x100);
	assert_int_equal(size, 0x91);
	range_list_extent(&list, 3, &start, &size);
	assert_int_equal(size, 0);
}

static void many_forms_agree(void **state UNUSED)
{
	static const char *const options[] = { "-gdwarf-4 -O2",
					       "-O2 -flto",
					       "-O3 -funroll-loops",
					       "-g1 -O2",
					       "-gsplit-dwarf -O2",
					       "-O2 -ffunction-sections",
					       "-O2 -freorder-blocks-and-partition" };
	struct statement_list list;
	struct subject subject;

	subject_put("sorts.c",
		    "#include <stdio.h>\n"
		    "#include <stdlib.h>\n"
		    "#include <string.h>\n"
		    "static inline int less(const char *a, const char *b) { return strcmp(a, b) < "
		    "0; }\n"
		    "static inline void swap(char **a, char **b)\n"
		    "{\n"
		    "	char *c = *a; *a = *b; *b = c;\n"
		    "}\n"
		    "static void sort(char **words, int count)\n"
		    "{\n"
		    "	for (int i = 0; i < count; i++)\n"
		    "		for (int j = i; j > 0 && less(words[j], words[j - 1]); j--)\n"
		    "			swap(&words[j], &words[j - 1]);\n"
		    "}\n"
		    "int main(int argc, char **argv)\n"
		    "{\n"
		    "	sort(argv + 1, argc - 1);\n"
		    "	for (int i = 1; i < argc; i++) {\n"
		    "		if (!argv[i][0]) abort();\n"
		    "		puts(argv[i]);\n"
		    "	}\n"
		    "	return 0;\n"
		    "}\n");
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		assert_true(subject_run("rm -f *.dwo; gcc -g %s -o sorts sorts.c", options[i]));
		print_message("%s\n", options[i]);
		open_checked(&subject, &list, "sorts");
		close_checked(&subject, &list);
	}
}

/* Lines of assembly belong to no function; symbols name their procedures. */
static void assembly_is_named_by_symbols(void **state UNUSED)
{
	struct statement_list list;
	struct subject subject;

	subject_put("two.s", "	.text\n"
			     "	.globl	first, second\n"
			     "	.type	first, @function\n"
			     "	.type	second, @function\n"
			     "first:\n"
			     "	nop\n"
			     "	ret\n"
			     "	.size	first, . - first\n"
			     "second:\n"
			     "	nop\n"
			     "	.fill	4, 1, 0x90\n" /* has no line */
			     "	ret\n"
			     "	.size	second, . - second\n"
			     "	.section .note.GNU-stack,\"\",@progbits\n");
	assert_true(subject_run("gcc -g -shared -nostdlib -o two.so two.s"));
	open_checked(&subject, &list, "two.so");
	assert_lines(&list, "two.s", "first", "6 7");
	assert_lines(&list, "two.s", "second", "10 12");
	close_checked(&subject, &list);
}

static void objects_without_lines_have_none(void **state UNUSED)
{
	struct statement_list list;
	struct subject subject;
	size_t first;

	subject_put("count.c", c_source);
	assert_true(subject_run("gcc -O2 -o plain count.c"));
	subject_open(&subject, "plain");
	statement_list_read(&list, subject.names, subject.object);
	assert_true(list.whole);
	assert_int_equal(list.count, 0);
	assert_int_equal(statement_list_at(&list, subject.start, &first), 0);
	assert_int_equal(statement_list_find(&list, NULL, NULL, 0, &first), 0);
	close_checked(&subject, &list);
}

static const char cobol_source[] = "       IDENTIFICATION DIVISION.\n"
				   "       PROGRAM-ID. TALLY.\n"
				   "       DATA DIVISION.\n"
				   "       WORKING-STORAGE SECTION.\n"
				   "       01 N PIC 9(4) COMP-5.\n"
				   "       PROCEDURE DIVISION.\n"
				   "       CONTROL-PART SECTION.\n"
				   "           MOVE 0 TO N.\n"
				   "       START-UP.\n"
				   "           PERFORM COUNT-UP 3 TIMES.\n"
				   "           DISPLAY N.\n"
				   "           PERFORM REPORT-PART.\n"
				   "           STOP RUN.\n"
				   "       COUNT-UP.\n"
				   "           IF N > 100\n"
				   "               DISPLAY 'NEVER'\n"
				   "           END-IF.\n"
				   "           ADD 1 TO N.\n"
				   "       REPORT-PART SECTION.\n"
				   "       LAST-LINE.\n"
				   "           DISPLAY 'DONE'.\n";

/* Fails unless each of the lines of a procedure of tally.cob is a statement. */
static void assert_statements(const struct statement_list *list, const char *procedure,
			      const unsigned *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t first;

		if (statement_list_find(list, "tally.cob", procedure, lines[i], &first) != 1)
			fail_msg("%s has no statement in line %u", procedure, lines[i]);
		assert_string_equal(list->items[first].language, "COBOL");
	}
}

static void cobol_statements_are_listed(void **state UNUSED)
{
	static const char *const options[] = { "-g", "-g -O2", "-g -debug" };
	static const unsigned control[] = { 8 }, start_up[] = { 10, 11, 12, 13 };
	static const unsigned count_up[] = { 15, 16, 18 }, last_line[] = { 21 };

	subject_put("tally.cob", cobol_source);
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct statement_list list;
		struct subject subject;
		size_t first, count;

		subject_compile_cobol(options[i], "tally");
		print_message("%s\n", options[i]);
		open_checked(&subject, &list, "tally");
		assert_statements(&list, "CONTROL-PART", control, ARRAY_SIZE(control));
		assert_statements(&list, "START-UP", start_up, ARRAY_SIZE(start_up));
		assert_statements(&list, "COUNT-UP", count_up, ARRAY_SIZE(count_up));
		assert_statements(&list, "LAST-LINE", last_line, ARRAY_SIZE(last_line));
		/* Nothing of the C code is a statement. */
		count = statement_list_find(&list, "tally.cob", NULL, 0, &first);
		for (size_t j = first; j < first + count; j++)
			assert_non_null(strstr(list.items[j].file, "/tally.cob"));
		/* Nor is anything before the procedure division. */
		for (size_t j = first; j < first + count; j++)
			assert_true(list.items[j].line >= 6);
		close_checked(&subject, &list);
	}
}

static void a_whole_cobol_program_is_listed(void **state UNUSED)
{
	static const char *const options[] = { "-g -std=ibm", "-g -O2 -std=ibm" };

	if (!getenv("VIGIL_SOURCE"))
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct statement_list list;
		struct subject subject;
		size_t first;

		assert_true(subject_run("cp '%s'/jcl-examples/programs/paycalc.cob .",
					getenv("VIGIL_SOURCE")));
		subject_compile_cobol(options[i], "paycalc");
		open_checked(&subject, &list, "paycalc");
		assert_int_equal(
			statement_list_find(&list, "paycalc.cob", "COMPUTE-TAX", 146, &first), 1);
		assert_true(statement_list_find(&list, "paycalc.cob", NULL, 0, &first) > 70);
		close_checked(&subject, &list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_line_of_c_is_listed),
		cmocka_unit_test(inlined_statements_are_listed),
		cmocka_unit_test(a_line_begins_with_each_of_its_statements),
		cmocka_unit_test(lines_end_with_their_section),
		cmocka_unit_test(rows_without_a_line_go_on_with_the_last),
		cmocka_unit_test(pieces_are_summed_from_the_lowest_on),
		cmocka_unit_test(many_forms_agree),
		cmocka_unit_test(assembly_is_named_by_symbols),
		cmocka_unit_test(objects_without_lines_have_none),
		cmocka_unit_test(cobol_statements_are_listed),
		cmocka_unit_test(a_whole_cobol_program_is_listed),
	};

	return cmocka_run_group_tests_name("statements", tests, subject_folder_make,
					   subject_folder_remove);
}
