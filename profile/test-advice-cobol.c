/* SPDX-License-Identifier: Apache-2.0 */
/* Tests advice on COBOL programs, and the parsing of their sources. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "profile/advice/cobol-source.h"
#include "profile/fixture-advice.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/advice-cobol-XXXXXX";

/* Writes a file into the test's folder and returns its path, which is static. */
static const char *put_file(const char *name, const char *content)
{
	static char paths[4][100];
	static unsigned turn;
	char *path = paths[turn++ % 4];
	FILE *file;

	snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(content, file) >= 0);
	fclose(file);
	return path;
}

/* Fails unless the statement of a line uses these items: "A/9(4)/DISPLAY B/S9(3)/COMP-5 ". */
static void assert_items(struct source_texts *texts, const char *path, const char *file, uint64_t line,
			 const char *expected)
{
	struct cobol_source *source = cobol_source_new(texts, path);
	const struct cobol_item *items[8];
	struct strbuf sb = STRBUF_INIT;
	size_t count;

	assert_non_null(source);
	count = cobol_source_statement(source, file, line, items, 8);
	for (size_t i = 0; i < count; i++)
		strbuf_addf(&sb, "%s/%s/%s%s ", cobol_source_name(source, items[i]),
			    items[i]->picture ? items[i]->picture : "", items[i]->usage,
			    items[i]->fraction ? "/V" : "");
	assert_string_equal(sb.text, expected);
	strbuf_release(&sb);
	cobol_source_free(source);
}

static const char fixed_source[] =
	"000100 IDENTIFICATION DIVISION.\n"
	"000200 PROGRAM-ID. A.\n"
	"000300 DATA DIVISION.\n"
	"000400 WORKING-STORAGE SECTION.\n"
	"000500 01  GROUP-1 COMP-3.\n"
	"000600     05  N         PIC S9(5)V99.\n"
	"000700     05  M         PICTURE IS 9(4) USAGE IS BINARY.\n"
	"000800*    05  GONE      PIC 9.\n"
	"000900 01  GROUP-2.\n"
	"001000     05  N         PIC 9(3) OCCURS 10 TIMES INDEXED BY IX.\n"
	"001100         88  FULL  VALUE 10.\n"
	"001200     05  SHOWN     PIC ZZ9.\n"
	"001300     05  NAME      PIC X(9).\n"
	"001400     05  FILLER    PIC 9(3).\n"
	"001500     05            PIC 9(3).\n"
	"001600     COPY MORE.\n"
	"001700 77  I BINARY-LONG.\n"
	"001800 PROCEDURE DIVISION.\n"
	"001900 FIRST-P.\n"
	"002000     ADD M, N IN GROUP-1\n"
	"002100        TO N OF GROUP-2 (I + 1)\n"
	"002200        ON SIZE ERROR MOVE SHOWN TO NAME.\n"
	"002300     IF FULL(1) AND NAME = 'N M' DISPLAY M.\n"
	"002400     COMPUTE COPIED = 1\n"
	"002500-       2.\n"
	"002600 M-P.\n"
	"002700     PERFORM FIRST-P VARYING I FROM 1 BY 1 UNTIL I >\n"
	"002800      M. ADD 1 TO N OF GROUP-1.\n";

static void items_of_statements_are_found(void **state UNUSED)
{
	const char *path = put_file("a.cob", fixed_source);
	struct source_texts texts;

	put_file("more.cpy", "000100     05  COPIED    PIC S9(4)P USAGE COMP-6.\n");
	source_texts_init(&texts);
	assert_items(&texts, path, path, 20, "M/9(4)/BINARY N/S9(5)V99/COMP-3/V N/9(3)/DISPLAY I//BINARY-LONG ");
	assert_items(&texts, path, path, 23, "N/9(3)/DISPLAY M/9(4)/BINARY ");
	assert_items(&texts, path, path, 24, "COPIED/S9(4)P/COMP-6/V ");
	assert_items(&texts, path, path, 27, "I//BINARY-LONG M/9(4)/BINARY ");
	assert_items(&texts, path, path, 28, "M/9(4)/BINARY N/S9(5)V99/COMP-3/V ");
	assert_items(&texts, path, path, 0, "");
	assert_items(&texts, path, path, 29, "");
	assert_null(cobol_source_new(&texts, "/nowhere/a.cob"));
	source_texts_release(&texts);
}

/*
 * An item of a later program is not found from an earlier statement; statements of
 * copybooks can use all items.
 */
static void free_format_and_several_programs(void **state UNUSED)
{
	const char *path = put_file("b.cob", "program-id. a.\n"
					     "data division.\n"
					     "working-storage section.\n"
					     "01 n pic 9(2). 01 v pic v9. *> 01 m pic 9.\n"
					     "procedure division.\n"
					     "add 1 to n m. copy \"do.cpy\".\n"
					     "end program a.\n"
					     "program-id. b.\n"
					     "data division.\n"
					     "local-storage section.\n"
					     "01 n pic s9(8) comp-5.\n"
					     "procedure division.\n"
					     "add 1 to n.\n");
	const char *copybook = put_file("do.cpy", "add v to n.\n");
	struct source_texts texts;

	source_texts_init(&texts);
	assert_items(&texts, path, path, 6, "N/9(2)/DISPLAY ");
	assert_items(&texts, path, path, 13, "N/S9(8)/COMP-5 ");
	assert_items(&texts, path, copybook, 1, "V/V9/DISPLAY/V N/S9(8)/COMP-5 ");
	source_texts_release(&texts);
}

/* Parsing a copybook that includes itself terminates, and so does that of arbitrary content. */
static void odd_sources_end(void **state UNUSED)
{
	const char *path = put_file("c.cob", "data division.\n01 a pic 9(\n01 copy c.cob. 05. 05 pic. 88. copy\n"
					     "copy c.cob. 01 b pic 9. procedure division.\nadd a to b.\n");
	struct source_texts texts;
	struct cobol_source *source;

	source_texts_init(&texts);
	source = cobol_source_new(&texts, path);
	assert_non_null(source);
	assert_true(source->count < 10000);
	cobol_source_free(source);
	source_texts_release(&texts);
}

/* Begins a session with ten seconds of CPU time in a COBOL program whose source is in a file. */
static void begin(struct advice_fixture *s, const char *path, uint64_t line, const char *text)
{
	advice_fixture_begin(s, "/opt/pay", 10 * NSEC_PER_SEC, 0);
	fixture_number(&s->f, ATTR_PERIOD, NSEC_PER_MSEC);
	s->library = fixture_object(&s->f, OBJECT_FILE, "/usr/lib/libcob.so.4", "");
	s->gmp = fixture_object(&s->f, OBJECT_FILE, "/usr/lib/libgmp.so.10", "");
	s->kernel = fixture_object(&s->f, OBJECT_KERNEL, "[kernel]", "");
	s->f.line_file = path;
	s->root = fixture_stack(&s->f, 0, fixture_frame(&s->f, s->program, 0x100, "a.cob", "A", 1, ""));
	s->statement = fixture_stack(
		&s->f, s->root, fixture_frame(&s->f, s->program, 0x1000, "a.cob", "FIRST-P", line, text));
}

/* Adds samples of a function called by the statement, or by a function it called. */
static uint64_t calls(struct advice_fixture *s, uint64_t parent, const char *function, uint64_t count)
{
	bool gmp = !strncmp(function, "__gmp", 5);
	uint64_t stack = fixture_stack(&s->f, parent,
				       fixture_frame(&s->f, gmp ? s->gmp : s->library,
						     0x10000 * (s->f.frames + 1), "", function, 0, ""));

	fixture_samples(&s->f, count, stack, 1, 0, 0);
	return stack;
}

/* Returns the ns that this many samples stand for. */
static uint64_t time_of(const struct advice_fixture *s, uint64_t samples)
{
	return samples * profile_period(s->profile);
}

static const char digits_source[] = "data division.\n"
				    "01 n pic s9(7).\n"
				    "01 v pic s9(7)v99 packed-decimal.\n"
				    "01 b pic s9(7) comp-5.\n"
				    "procedure division.\n"
				    "add 1 to n.\n"
				    "add 1 to v.\n"
				    "add 1 to b.\n";

/* The whole cost of an integer operation is saved. */
static void integers_are_computed_in_binary(void **state UNUSED)
{
	const char *path = put_file("a.cob", digits_source);
	const struct advice *advice;
	struct advice_fixture s;
	uint64_t add;

	begin(&s, path, 6, "add 1 to n.");
	add = calls(&s, s.statement, "cob_add_int", 1000);
	calls(&s, add, "__gmpz_add", 500);
	calls(&s, calls(&s, s.statement, "+0x21d40", 250), "__gmpz_get_str", 250);
	calls(&s, s.statement, "cob_trace_stmt", 3000);
	fixture_samples(&s.f, 5000, s.statement, 1, 0, 0);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->code, "DISPLAY-ARITHMETIC");
	assert_string_equal(advice->what, "1 statement computes with items stored as digits, not in binary");
	assert_string_equal(advice->where, "a.cob: FIRST-P line 6");
	assert_int_equal(advice->saves, time_of(&s, 2000));
	assert_true(advice->margin > 0 && advice->margin < advice->saves / 5);
	assert_int_equal(advice->evidence_count, 1);
	assert_string_equal(advice->evidence[0].report, "ACE");
	assert_string_equal(advice->evidence[0].row,
			    "FIRST-P line 6, 2000 CPU samples: N PIC S9(7) DISPLAY");
	advice_fixture_end(&s);
}

/* Functions that the compiler added count for the statement that calls them. */
static void functions_of_the_compiler_are_seen(void **state UNUSED)
{
	const char *path = put_file("a.cob", digits_source);
	const struct advice *advice;
	struct advice_fixture s;
	uint64_t helper;

	begin(&s, path, 7, "add 1 to v.");
	helper = fixture_stack(&s.f, s.statement,
			       fixture_frame(&s.f, s.program, 0x2000, "a.cob", "cob_add_packed_int", 0, ""));
	fixture_samples(&s.f, 1000, helper, 1, 0, 0);
	calls(&s, s.statement, "cob_get_int", 400);
	fixture_samples(&s.f, 3000, s.statement, 1, 0, 0);
	advice = advice_fixture_search(&s, 1);
	assert_int_equal(advice->saves, time_of(&s, 1400));
	assert_string_equal(advice->evidence[0].report, "PUP");
	assert_string_equal(
		advice->evidence[0].row,
		"FIRST-P line 7, 1000 CPU samples of cob_add_packed_int: V PIC S9(7)V99 PACKED-DECIMAL");
	advice_fixture_end(&s);
}

/* With fractions, the arithmetic on libgmp's numbers stays. */
static void fractions_stay_with_the_library(void **state UNUSED)
{
	const char *path = put_file("a.cob", digits_source);
	const struct advice *advice;
	struct advice_fixture s;

	begin(&s, path, 7, "add 1 to v.");
	calls(&s, calls(&s, s.statement, "cob_add", 1000), "__gmpz_add", 600);
	calls(&s, s.statement, "+0x21d40", 400);
	fixture_samples(&s.f, 8000, s.statement, 1, 0, 0);
	advice = advice_fixture_search(&s, 1);
	assert_int_equal(advice->saves, time_of(&s, 1400));
	assert_string_equal(advice->evidence[0].row,
			    "FIRST-P line 7, 2000 CPU samples: V PIC S9(7)V99 PACKED-DECIMAL");
	advice_fixture_end(&s);
}

/* Statements with binary items are fine already; other work of the run time is not arithmetic. */
static void other_statements_are_no_fault(void **state UNUSED)
{
	const char *path = put_file("a.cob", digits_source);
	struct advice_fixture s;

	begin(&s, path, 8, "add 1 to b.");
	calls(&s, s.statement, "cob_decimal_set_field", 9000);
	advice_fixture_search(&s, 0);
	advice_fixture_end(&s);
	begin(&s, path, 6, "add 1 to n.");
	calls(&s, s.statement, "cob_move", 5000);
	calls(&s, s.statement, "+0x21d40", 4000);
	calls(&s, s.statement, "cob_add_int", 100);
	advice_fixture_search(&s, 0);
	advice_fixture_end(&s);
}

/* Without the source, the functions show whether digits are used. */
static void sources_may_be_missing(void **state UNUSED)
{
	const char *path = put_file("a.cob", digits_source);
	const struct advice *advice;
	struct advice_fixture s;

	begin(&s, path, 6, "add 2 to n.");
	calls(&s, s.statement, "cob_cmp_numdisp", 9000);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->evidence[0].row,
			    "FIRST-P line 6, 9000 CPU samples (its items are not known: a.cob has been changed since)");
	advice_fixture_end(&s);
	begin(&s, "/nowhere/a.cob", 6, "add 1 to n.");
	calls(&s, s.statement, "cob_cmp_numdisp", 9000);
	advice = advice_fixture_search(&s, 1);
	assert_string_equal(advice->evidence[0].row,
			    "FIRST-P line 6, 9000 CPU samples (its items are not known: a.cob cannot be read)");
	advice_fixture_end(&s);
	begin(&s, "/nowhere/a.cob", 6, "add 1 to n.");
	calls(&s, s.statement, "cob_decimal_set_field", 9000);
	advice_fixture_search(&s, 0);
	advice_fixture_end(&s);
}

static const char search_source[] = "data division.\n"
				    "01 t.\n"
				    "05 e occurs 1 to 5000 times depending on n indexed by i. 10 k pic 9.\n"
				    "05 few occurs 16. 10 f pic 9.\n"
				    "procedure division.\n"
				    "search e at end continue\n"
				    "when k (i) = 1\n"
				    "evaluate n\n"
				    "when 2 move 1 to n\n"
				    "end-evaluate\n"
				    "when k (i) = 3 continue.\n"
				    "search all e when k (i) = 1\n"
				    "continue.\n"
				    "search few when f (1) = 1 continue.\n";

/*
 * Runs a session whose statement in a line of search_source has this many samples,
 * own of them in its own code.
 */
static const struct advice *look(struct advice_fixture *s, uint64_t line, const char *text, size_t count)
{
	const char *path = put_file("a.cob", search_source);

	begin(s, path, line, text);
	calls(s, s->statement, "memcmp", 6000);
	fixture_samples(&s->f, 2000, s->statement, 1, 0, 0);
	fixture_samples(&s->f, 2000, s->root, 1, 0, 0);
	return advice_fixture_search(s, count);
}

static void searches_from_the_start_are_found(void **state UNUSED)
{
	const struct advice *advice;
	struct advice_fixture s;

	for (int when = 0; when < 2; when++) {
		advice = look(&s, when ? 11 : 7, when ? "when k (i) = 3 continue." : "when k (i) = 1", 1);
		assert_string_equal(advice->code, "TABLE-SEARCH");
		assert_string_equal(advice->what, "table e of 5000 entries is searched entry by entry");
		assert_string_equal(advice->where, "a.cob: FIRST-P line 6");
		assert_int_equal(advice->saves, time_of(&s, 8000));
		assert_string_equal(advice->evidence[0].report, "PUP");
		assert_string_equal(advice->evidence[0].row, when ? "FIRST-P line 11, 8000 CPU samples"
								   : "FIRST-P line 7, 8000 CPU samples");
		advice_fixture_end(&s);
	}
}

/* Another statement's WHEN, SEARCH ALL, and a small table. */
static void other_searches_are_no_fault(void **state UNUSED)
{
	struct advice_fixture s;

	look(&s, 9, "when 2 move 1 to n", 0);
	advice_fixture_end(&s);
	look(&s, 12, "search all e when k (i) = 1", 0);
	advice_fixture_end(&s);
	look(&s, 14, "search few when f (1) = 1 continue.", 0);
	advice_fixture_end(&s);
	look(&s, 13, "continue.", 0);
	advice_fixture_end(&s);
}

static const char building_source[] = "data division.\n"
				      "01 t pic x(9000).\n"
				      "procedure division.\n"
				      "string function trim(T) 'x' delimited\n"
				      "by size into t\n"
				      "end-string\n"
				      "string function trim(u) delimited by size into t.\n"
				      "move function concatenate(function trim(t), u) to t.\n"
				      "move function trim(t) to t.\n"
				      "string t delimited by size.\n"
				      "move u to t.\n";

/*
 * The cost of an item built from itself is found; other statements that trim or
 * copy are not a fault.
 */
static void texts_built_from_themselves_are_found(void **state UNUSED)
{
	static const struct {
		uint64_t line;
		const char *text;
		size_t count;
	} statements[] = {
		{ 4, "string function trim(T) 'x' delimited", 1 },
		{ 7, "string function trim(u) delimited by size into t.", 0 },
		{ 8, "move function concatenate(function trim(t), u) to t.", 1 },
		{ 9, "move function trim(t) to t.", 0 },
		{ 10, "string t delimited by size.", 0 },
		{ 11, "move function concatenate(t) to t.", 0 }, /* the source has changed since */
	};
	const char *path = put_file("a.cob", building_source);

	for (size_t i = 0; i < ARRAY_SIZE(statements); i++) {
		const struct advice *advice;
		struct advice_fixture s;

		begin(&s, path, statements[i].line, statements[i].text);
		calls(&s, calls(&s, s.statement, "cob_intr_trim", 2000), "memcpy", 1000);
		calls(&s, s.statement, "cob_string_append", 500);
		calls(&s, s.statement, "cob_string_init", 500);
		fixture_samples(&s.f, 6000, s.statement, 1, 0, 0);
		advice = advice_fixture_search(&s, statements[i].count);
		if (advice) {
			char row[100];

			snprintf(row, sizeof(row), "FIRST-P line %d, 3500 CPU samples of finding and copying it",
				 (int)statements[i].line);
			assert_string_equal(advice->code, "TEXT-BUILDING");
			assert_string_equal(advice->what, "T is built from itself: each piece copies all of it");
			assert_int_equal(advice->saves, time_of(&s, 3500));
			assert_string_equal(advice->evidence[0].row, row);
		}
		advice_fixture_end(&s);
	}
}

/* Adds calls and cancels: samples of cancelling, loading and beginning. */
static const struct advice *reload(struct advice_fixture *s, uint64_t cancelling, size_t count)
{
	uint64_t module, begun;

	begin(s, "/nowhere/a.cob", 6, "call x.");
	module = fixture_object(&s->f, OBJECT_FILE, "/opt/sub.so", "");
	calls(s, calls(s, s->statement, "cob_resolve_cobol", 1000), "dlopen", 2000);
	fixture_samples(&s->f, 150,
			fixture_stack(&s->f, s->statement,
				      fixture_frame(&s->f, s->kernel, 0, "", NULL, 0, "")),
			1, 0, 0);
	begun = fixture_stack(&s->f, s->statement, fixture_frame(&s->f, module, 0x100, "sub.cob", "SUB", 0, ""));
	calls(s, begun, "cob_check_version", 500);
	calls(s, begun, "cob_module_global_enter", 300);
	calls(s, fixture_stack(&s->f, begun, fixture_frame(&s->f, module, 0x900, "sub.cob", "SUB", 9, "add.")),
	      "cob_move", 4000);
	fixture_samples(&s->f, 200, begun, 1, 0, 0);
	s->statement = fixture_stack(&s->f, s->root,
				     fixture_frame(&s->f, s->program, 0x2000, "a.cob", "LAST-P", 7, "cancel x."));
	calls(s, s->statement, "cob_cancel", cancelling);
	/* The main program begins like others. */
	calls(s, fixture_stack(&s->f, 0, fixture_frame(&s->f, s->program, 0x50, "a.cob", "A", 0, "")),
	      "cob_check_version", 700);
	return advice_fixture_search(s, count);
}

static void reloads_are_found(void **state UNUSED)
{
	const struct advice *advice;
	struct advice_fixture s;

	advice = reload(&s, 300, 1);
	assert_string_equal(advice->code, "CANCEL");
	assert_string_equal(advice->where, "a.cob: LAST-P line 7");
	assert_int_equal(advice->saves, time_of(&s, 1000 + 2000 + 150 + 500 + 300 + 200 + 300));
	assert_int_equal(advice->evidence_count, 2);
	assert_string_equal(advice->evidence[0].row, "LAST-P line 7, 300 CPU samples of cancelling");
	assert_string_equal(advice->evidence[1].row, "FIRST-P line 6, 3000 CPU samples of loading");
	advice_fixture_end(&s);
	/* Programs that are loaded once; at most one is cancelled. */
	reload(&s, 1, 0);
	advice_fixture_end(&s);
	reload(&s, 0, 0);
	advice_fixture_end(&s);
}

static int remove_folder(void **state UNUSED)
{
	static const char *const names[] = { "a.cob", "b.cob", "c.cob", "do.cpy", "more.cpy" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[100];

		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		unlink(path);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(items_of_statements_are_found),
		cmocka_unit_test(free_format_and_several_programs),
		cmocka_unit_test(odd_sources_end),
		cmocka_unit_test(integers_are_computed_in_binary),
		cmocka_unit_test(functions_of_the_compiler_are_seen),
		cmocka_unit_test(fractions_stay_with_the_library),
		cmocka_unit_test(other_statements_are_no_fault),
		cmocka_unit_test(sources_may_be_missing),
		cmocka_unit_test(searches_from_the_start_are_found),
		cmocka_unit_test(other_searches_are_no_fault),
		cmocka_unit_test(texts_built_from_themselves_are_found),
		cmocka_unit_test(reloads_are_found),
	};

	if (!mkdtemp(folder))
		return 1;
	return cmocka_run_group_tests(tests, NULL, remove_folder);
}
