/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the names of addresses, on programs compiled here. */
#include "common/compat.h"
#include "common/cobol-scan.h"
#include "program/names/demangle.h"
#include "program/names/names-cobol.h"
#include "program/names/test-names-subject.h"

#include <dlfcn.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static const char c_source[] = "#include <stdio.h>\n"
			       "static inline __attribute__((always_inline)) int inner(int x)\n"
			       "{\n"
			       "	return x * printf(\"%d\\n\", x);\n"
			       "}\n"
			       "static inline __attribute__((always_inline)) int middle(int x)\n"
			       "{\n"
			       "	return inner(x) + 1;\n"
			       "}\n"
			       "__attribute__((noinline)) int outer(int x)\n"
			       "{\n"
			       "	return middle(x) + middle(x + 1);\n"
			       "}\n"
			       "int main(int argc, char **argv)\n"
			       "{\n"
			       "	(void)argv;\n"
			       "	return outer(argc) == 0;\n"
			       "}\n";

static void inlined_calls_are_levels(void **state UNUSED)
{
	struct subject subject;
	const struct name *levels = subject.levels;

	subject_put("inline.c", c_source);
	assert_true(subject_run("gcc -g -O2 -o inline inline.c"));
	subject_open(&subject, "inline");
	assert_int_equal(subject_find(&subject, 0, "inner", 4), 3);
	assert_string_equal(levels[0].text, "return x * printf(\"%d\\n\", x);");
	assert_string_equal(levels[0].section, "inline.c");
	assert_string_equal(levels[0].language, "C");
	assert_string_equal(levels[1].procedure, "middle");
	assert_int_equal(levels[1].line, 8);
	assert_string_equal(levels[2].procedure, "outer");
	assert_int_equal(levels[2].line, 12);
	assert_string_equal(levels[2].text, "return middle(x) + middle(x + 1);");
	assert_true(levels[2].size > levels[1].size);
	assert_true(strstr(levels[2].file, "/inline.c") && levels[2].file[0] == '/');
	assert_int_equal(subject_find(&subject, 0, "printf@plt", 0), 1);
	assert_int_equal(levels[0].size, 16);
	assert_null(subject.object->note);
	subject_close(&subject);
}

static void every_form_of_information_is_read(void **state UNUSED)
{
	static const char *const options[] = {
		"-gdwarf-4",
		"-gdwarf-5",
		"-gz=zlib",
		"-gsplit-dwarf",
		"-flto",
		"-g1",
		"-gdwarf-4 -fdebug-types-section",
		"-static",
	};
	struct subject subject;

	subject_put("inline.c", c_source);
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		assert_true(subject_run("rm -f *.dwo; gcc -g %s -O2 -o form inline.c", options[i]));
		subject_open(&subject, "form");
		print_message("%s\n", options[i]);
		assert_int_equal(subject_find(&subject, 0, "inner", 4), 3);
		assert_string_equal(subject.levels[0].section, "inline.c");
		assert_string_equal(subject.levels[2].procedure, "outer");
		assert_true(subject.levels[0].file[0] == '/');
		subject_close(&subject);
	}
}

static void stripped_objects_say_so(void **state UNUSED)
{
	struct subject subject;

	subject_put("inline.c", c_source);
	assert_true(subject_run("gcc -g -O2 -o bare inline.c && strip bare"));
	subject_open(&subject, "bare");
	assert_int_equal(subject_find(&subject, 0, "outer", 0), 0);
	assert_int_equal(subject_find(&subject, 0, "printf@plt", 0), 1);
	assert_non_null(subject.object->note);
	assert_non_null(strstr(subject.object->note, "stripped"));
	subject_close(&subject);
	/*
	 * A stripped shared object keeps its exported names; a routine without a name is
	 * shown by its start.
	 */
	subject_put("shared.c",
		    "__attribute__((noinline)) static int hidden(int x) { return x * 3; }\n"
		    "int (*volatile way)(int) = hidden;\n"
		    "int shown(int x) { return way(x) + 1; }\n");
	assert_true(subject_run("gcc -O1 -fPIC -shared -o shared.so shared.c && strip shared.so"));
	subject_open(&subject, "shared.so");
	assert_int_equal(subject_find(&subject, 0, "shown", 0), 1);
	assert_int_equal(subject_find(&subject, 0, "hidden", 0), 0);
	assert_non_null(strstr(subject.object->note, "exported"));
	assert_true(subject.levels[0].start > 0);
	subject_close(&subject);
}

static void routines_without_names_have_starts(void **state UNUSED)
{
	struct subject subject;
	struct strbuf name = STRBUF_INIT;
	uint64_t start;

	subject_put("shared.c",
		    "__attribute__((noinline)) static int hidden(int x) { return x * 3; }\n"
		    "int (*volatile way)(int) = hidden;\n"
		    "int shown(int x) { return way(x) + 1; }\n");
	assert_true(subject_run(
		"gcc -O1 -fPIC -shared -o shared.so shared.c && cp shared.so s.so && strip s.so"));
	subject_open(&subject, "shared.so");
	assert_int_equal(subject_find(&subject, 0, "hidden", 0), 1);
	start = subject.levels[0].start;
	subject_close(&subject);
	strbuf_addf(&name, "+0x%" PRIx64, start);
	subject_open(&subject, "s.so");
	assert_int_equal(subject_find(&subject, 0, name.text, 0), 1);
	assert_int_equal(subject.levels[0].start, start);
	subject_close(&subject);
	strbuf_release(&name);
}

static void debug_links_are_followed(void **state UNUSED)
{
	struct subject subject;

	subject_put("inline.c", c_source);
	assert_true(subject_run(
		"gcc -g -O2 -o linked inline.c && mkdir -p .debug && "
		"objcopy --only-keep-debug linked .debug/linked.debug && strip linked && "
		"objcopy --add-gnu-debuglink=.debug/linked.debug linked"));
	subject_open(&subject, "linked");
	assert_int_equal(subject_find(&subject, 0, "inner", 4), 3);
	assert_null(subject.object->note);
	subject_close(&subject);
	/* A debug file of another build is not used. */
	assert_true(subject_run("printf x >>.debug/linked.debug"));
	subject_open(&subject, "linked");
	assert_int_equal(subject_find(&subject, 0, "outer", 0), 0);
	assert_non_null(strstr(subject.object->note, "another version"));
	subject_close(&subject);
}

/*
 * Returns whether a stripped program with a build id takes its names from the
 * debug file at path, which was made from a program with debug_id.
 */
static bool names_by_build_id(const char *id, const char *path, const char *debug_id)
{
	struct strbuf folder = STRBUF_INIT;
	struct subject subject;
	bool named;

	assert_true(subject_run("rm -rf debug && mkdir -p debug/.build-id/%.2s && "
				"gcc -g -O2 -Wl,--build-id=%s -o whole inline.c && "
				"objcopy --only-keep-debug whole debug/.build-id/%.2s/%s.debug && "
				"gcc -g -O2 -Wl,--build-id=0x%s -o bare-id inline.c && "
				"strip bare-id",
				path, debug_id, path, path + 2, id));
	subject_open(&subject, "bare-id");
	strbuf_addf(&folder, "%s/debug", subject_folder);
	names_debug_folder(subject.names, folder.text);
	named = subject_find(&subject, 0, "inner", 4) == 3;
	assert_true(named == !subject.object->note);
	strbuf_release(&folder);
	subject_close(&subject);
	return named;
}

static void debug_files_must_have_the_build_id(void **state UNUSED)
{
	static const char id[] = "0123456789abcdef01234567";

	subject_put("inline.c", c_source);
	assert_true(names_by_build_id(id, id, "0x0123456789abcdef01234567"));
	/* Different last byte, first byte, length; no build id. */
	assert_false(names_by_build_id(id, id, "0x0123456789abcdef01234568"));
	assert_false(names_by_build_id(id, id, "0x1123456789abcdef01234567"));
	assert_false(names_by_build_id(id, id, "0x0123456789abcdef0123456789"));
	assert_false(names_by_build_id(id, id, "0x0123456789abcdef012345"));
	assert_false(names_by_build_id(id, id, "none"));
	/* Nor is a file under another id used. */
	assert_false(
		names_by_build_id(id, "0123456789abcdef01234568", "0x0123456789abcdef01234567"));
}

static void debuginfod_is_asked_when_set(void **state UNUSED)
{
	struct strbuf urls = STRBUF_INIT;
	struct subject subject;
	void *library = dlopen("libdebuginfod.so.1", RTLD_NOW);

	if (!library) {
		print_message("libdebuginfod1 is not installed\n");
		skip();
	}
	subject_put("inline.c", c_source);
	assert_true(subject_run(
		"gcc -g -O2 -Wl,--build-id=0x0123456789abcdef01234567 -o served inline.c && "
		"mkdir -p buildid/0123456789abcdef01234567 && "
		"objcopy --only-keep-debug served buildid/0123456789abcdef01234567/debuginfo && "
		"strip served"));
	unsetenv("DEBUGINFOD_URLS");
	subject_open(&subject, "served");
	assert_int_equal(subject_find(&subject, 0, "outer", 0), 0);
	assert_non_null(strstr(subject.object->note, "stripped"));
	subject_close(&subject);
	strbuf_addf(&urls, "%s/cache", subject_folder);
	setenv("DEBUGINFOD_CACHE_PATH", urls.text, 1);
	strbuf_reset(&urls);
	strbuf_addf(&urls, "file://%s", subject_folder);
	setenv("DEBUGINFOD_URLS", urls.text, 1);
	subject_open(&subject, "served");
	assert_int_equal(subject_find(&subject, 0, "inner", 4), 3);
	assert_null(subject.object->note);
	subject_close(&subject);
	unsetenv("DEBUGINFOD_URLS");
	strbuf_release(&urls);
}

static void packed_symbols_are_read(void **state UNUSED)
{
	struct subject subject;

	subject_put("inline.c", c_source);
	if (!subject_run("command -v xz")) {
		print_message("xz is not installed\n");
		skip();
	}
	assert_true(subject_run(
		"gcc -g -O2 -o packed inline.c && "
		"objcopy -S --keep-symbol=outer --keep-symbol=main packed mini && "
		"objcopy --only-keep-debug packed mini0 && "
		"objcopy -S --remove-section .comment --keep-symbol=outer mini0 mini && "
		"rm -f mini.xz && xz mini && strip packed && "
		"objcopy --add-section .gnu_debugdata=mini.xz packed"));
	subject_open(&subject, "packed");
	assert_int_equal(subject_find(&subject, 0, "outer", 0), 1);
	assert_null(subject.object->note);
	subject_close(&subject);
}

static void symbols_are_chosen_well(void **state UNUSED)
{
	struct subject subject;

	subject_put("routine.s", "	.text\n"
				 "	.globl	plain\n"
				 "plain:	nop\n"
				 ".Lloop:	nop\n"
				 "	ret\n"
				 "	.globl	sized, __alias\n"
				 "	.type	sized, @function\n"
				 "	.type	__alias, @function\n"
				 "__alias:\n"
				 "sized:	nop\n"
				 "inside:	nop\n"
				 "	ret\n"
				 "	.size	sized, . - sized\n"
				 "	.size	__alias, . - __alias\n"
				 "	.section .note.GNU-stack,\"\",@progbits\n");
	assert_true(subject_run("gcc -shared -nostdlib -o routine.so routine.s"));
	subject_open(&subject, "routine.so");
	assert_int_equal(subject_find(&subject, 0, "plain", 0), 1);
	assert_int_equal(subject.levels[0].size, 3);
	assert_int_equal(subject_find(&subject, 0, "sized", 0), 1);
	assert_int_equal(subject.levels[0].size, 3);
	assert_int_equal(subject_find(&subject, 0, "__alias", 0), 0);
	assert_int_equal(subject_find(&subject, 0, "inside", 0), 0);
	subject_close(&subject);
}

static void stubs_of_static_programs_are_named(void **state UNUSED)
{
	struct subject subject;

	subject_put("lengths.c", "#include <string.h>\n"
				 "int main(int argc, char **argv)\n"
				 "{\n"
				 "	return (int)strlen(argv[argc - 1]);\n"
				 "}\n");
	assert_true(subject_run("gcc -static -no-pie -O1 -fno-builtin -o lengths lengths.c"));
	subject_open(&subject, "lengths");
	assert_int_equal(subject_find(&subject, 0, "strlen@plt", 0), 1);
	subject_close(&subject);
}

static void cplusplus_is_readable(void **state UNUSED)
{
	struct subject subject;

	if (!subject_run("command -v g++")) {
		print_message("g++ is not installed\n");
		skip();
	}
	subject_put("names.cc",
		    "namespace pay {\n"
		    "template <class T> struct Table {\n"
		    "	__attribute__((noinline)) T sum(T factor, int count) const\n"
		    "	{\n"
		    "		volatile T total = 0;\n"
		    "		for (int i = 0; i < count; i++)\n"
		    "			total = total + factor;\n"
		    "		return total;\n"
		    "	}\n"
		    "};\n"
		    "}\n"
		    "int main(int argc, char **)\n"
		    "{\n"
		    "	return pay::Table<long>().sum(2, argc) == 7;\n"
		    "}\n");
	assert_true(subject_run(
		"g++ -g -O1 -o names names.cc && cp names names.sym && strip -g names.sym"));
	subject_open(&subject, "names");
	assert_int_equal(subject_find(&subject, 0, "pay::Table<long>::sum(long, int) const", 7), 1);
	assert_string_equal(subject.levels[0].language, "C++");
	subject_close(&subject);
	subject_open(&subject, "names.sym");
	assert_int_equal(subject_find(&subject, 0, "pay::Table<long>::sum(long, int) const", 0), 1);
	subject_close(&subject);
}

/*
 * Static functions with the same name have no linkage names in DWARF: they are
 * distinguished by their symbols, and so are inlined calls of them. Others, and
 * functions of C, keep their names.
 */
static void overloads_stay_apart(void **state UNUSED)
{
	static const struct {
		const char *procedure;
		uint64_t line;
	} expected[] = {
		{ "twice(int)", 1 },
		{ "twice(double)", 2 },
		{ "apart::twice(int)", 3 },
		{ "often(int)", 4 },
		{ "often(char)", 5 },
		{ "main::{lambda(int)#1}::operator()(int) const", 9 },
		{ "main::{lambda(int)#2}::operator()(int) const", 10 },
		{ "plain", 6 },
		{ "main", 11 },
	};
	struct subject subject;

	if (!subject_run("command -v g++")) {
		print_message("g++ is not installed\n");
		skip();
	}
	subject_put("over.cc", "#define KEPT __attribute__((noinline, noclone)) static\n"
			       "#line 1\n"
			       "KEPT int twice(int a) { asm volatile(\"\"); return 2 * a; }\n"
			       "KEPT double twice(double a) { asm volatile(\"\"); return 2 * a; }\n"
			       "namespace apart { KEPT int twice(int a) { asm volatile(\"\"); return 3 * a; } }\n"
			       "static inline int often(int a) { asm volatile(\"nop\"); return a + 1; }\n"
			       "static inline int often(char a) { asm volatile(\"nop\"); return a + 2; }\n"
			       "extern \"C\" __attribute__((noinline)) int plain(int a) { return a * 5; }\n"
			       "int main(int argc, char **)\n"
			       "{\n"
			       "	auto one = [](int a) __attribute__((noinline)) { asm volatile(\"\"); return a; };\n"
			       "	auto two = [](int a) __attribute__((noinline)) { asm volatile(\"\"); return -a; };\n"
			       "	int (*volatile first)(int) = often; int (*volatile second)(char) = often;\n"
			       "	return one(1) + two(2) + twice(argc) + (int)twice(1.5) + apart::twice(2) + plain(1) +\n"
			       "		first(often(argc)) + second(often((char)argc));\n"
			       "}\n");
	for (unsigned optimised = 0; optimised < 2; optimised++) {
		assert_true(subject_run("g++ -g -O%u -o over over.cc", optimised * 2));
		subject_open(&subject, "over");
		for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
			if (!subject_find(&subject, 0, expected[i].procedure,
					  expected[i].line))
				fail_msg("%s is not found", expected[i].procedure);
		assert_int_equal(subject_find(&subject, 0, "twice", 0), 0);
		assert_int_equal(subject_find(&subject, 0, "often", 0), 0);
		/* Inlined into main. */
		if (optimised)
			assert_int_equal(subject_find(&subject, 1, "main", 13), 2);
		subject_close(&subject);
	}
}

static void demangling_has_a_bound(void **state UNUSED)
{
	struct strbuf text = STRBUF_INIT, bomb = STRBUF_INIT;

	assert_true(demangle("_RNvCs1234_7mycrate3foo", &text));
	assert_string_equal(text.text, "mycrate::foo");
	strbuf_reset(&text);
	assert_true(demangle("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", &text));
	assert_string_equal(text.text, "core::fmt::Formatter::pad");
	strbuf_reset(&text);
	assert_false(demangle("main", &text));
	assert_false(demangle("_Z", &text));
	/* Each level is a pair of the one inside it: 2^35 types. */
	strbuf_addstr(&bomb, "_Z1f1bI");
	for (int i = 0; i < 34; i++)
		strbuf_addstr(&bomb, "S_I");
	strbuf_addstr(&bomb, "iiE");
	for (const char *c = "0123456789ABCDEFGHIJKLMNOPQRSTUVWX"; *c; c++)
		strbuf_addf(&bomb, "S%c_E", *c);
	assert_false(demangle(bomb.text, &text));
	assert_string_equal(text.text, "");
	strbuf_release(&text);
	strbuf_release(&bomb);
}

/* Checks what the scanner finds for one line of a source in the folder. */
static void check_line(const char *file, uint64_t line, const char *procedure)
{
	struct source_cache cache;
	struct strbuf path = STRBUF_INIT, copy = STRBUF_INIT, found = STRBUF_INIT;
	struct cobol_program *program;
	const char *copies[1];

	source_cache_init(&cache);
	strbuf_addf(&path, "%s/%s", subject_folder, file);
	strbuf_addf(&copy, "%s/CALC.cpy", subject_folder);
	copies[0] = copy.text;
	program = cobol_program_new(&cache, path.text, copies, 1);
	assert_non_null(program);
	assert_int_equal(cobol_program_procedure(program, path.text, line, &found),
			 procedure != NULL);
	assert_string_equal(found.text, procedure ? procedure : "");
	cobol_program_free(program);
	source_cache_release(&cache);
	strbuf_release(&path);
	strbuf_release(&copy);
	strbuf_release(&found);
}

static void cobol_fixed_format(void **state UNUSED)
{
	subject_put("fixed.cob",
		    "000100 IDENTIFICATION DIVISION.\n" /* 1 */
		    "000200 PROGRAM-ID. FIXED-1.\n"
		    "000300 DATA DIVISION.\n"
		    "000400 WORKING-STORAGE SECTION.\n"
		    "000500 01 A PIC 9.\n"
		    "000600 PROCEDURE DIVISION.\n" /* 6 */
		    "000700     DISPLAY \"NO HEADING.\"\n"
		    "000800     CONTINUE.\n" /* 8 */
		    "000900 FIRST-S SECTION.\n"
		    "001000     DISPLAY 'A. B. '.\n" /* 10 */
		    "001100 INIT.                                     "
		    "                          TRAILER.\n"
		    "001200     MOVE 1 TO A.\n" /* 12 */
		    "001300* COMMENT-PARA.\n"
		    "001400     DISPLAY \"LONG LITERAL THAT GOES ON THE NEXT LINE AND HAS\n"
		    "001500-    \" A PERIOD. INSIDE.\".\n"
		    "001600     EXIT.\n" /* 16 */
		    "001700 SECOND-S SECTION 50.\n"
		    "001800 INIT. MOVE 2 TO A. *> NOT-ONE.\n" /* 18 */
		    "001900     IF A > 1.5 GOBACK.\n"
		    "002000 100-LAST.\n" /* 20 */
		    "002100     STOP RUN.\n");
	check_line("fixed.cob", 4, NULL);
	check_line("fixed.cob", 7, "FIXED-1");
	check_line("fixed.cob", 8, "FIXED-1");
	check_line("fixed.cob", 10, "FIRST-S");
	check_line("fixed.cob", 12, "INIT OF FIRST-S");
	check_line("fixed.cob", 14, "INIT OF FIRST-S");
	check_line("fixed.cob", 16, "INIT OF FIRST-S");
	check_line("fixed.cob", 18, "INIT OF SECOND-S");
	check_line("fixed.cob", 19, "INIT OF SECOND-S");
	check_line("fixed.cob", 21, "100-LAST");
}

static void cobol_free_format(void **state UNUSED)
{
	subject_put("free.cob", "identification division.\n" /* 1 */
				"program-id. outer-program.\n"
				"procedure division.\n"
				"declaratives.\n"
				"trouble section.\n" /* 5 */
				"    use after error procedure on input.\n"
				"say-so.\n"
				"    display 'trouble'.\n" /* 8 */
				"end declaratives.\n"
				"main-part.\n" /* 10 */
				"    call 'inner-program'\n"
				"    compute x = .5 * y.\n" /* 12 */
				"copy 'calc.cpy' replacing ==:t:== by ==x. y==.\n"
				"    display 'after'.\n" /* 14 */
				"finish. stop run.\n"
				"identification division.\n" /* 16 */
				"program-id. inner-program.\n"
				"procedure division.\n"
				"finish.\n" /* 19 */
				"    goback.\n"
				"end program inner-program.\n"
				"end program outer-program.\n");
	subject_put("CALC.cpy", "    add 1 to x.\n"
				"calc-more.\n"
				"    add 1 to x.\n");
	check_line("free.cob", 8, "say-so");
	check_line("free.cob", 11, "main-part");
	check_line("free.cob", 12, "main-part");
	check_line("free.cob", 14, "calc-more");
	check_line("free.cob", 15, "finish OF outer-program");
	check_line("free.cob", 20, "finish OF inner-program");
}

static void damaged_sources_are_survived(void **state UNUSED)
{
	static const char pieces[][16] = {
		".",	      "\"",	 "'",	"==",	   "*>",	 "\n", "COPY",
		" ",	      "SECTION", "END", "PROGRAM", "-\n      -", "\t", ">>SOURCE FREE",
		"PROGRAM-ID", "\xff"
	};
	struct strbuf source = STRBUF_INIT, found = STRBUF_INIT, path = STRBUF_INIT;
	const char *copies[1];
	uint32_t random = 1;

	strbuf_addf(&path, "%s/damaged.cob", subject_folder);
	copies[0] = path.text;
	for (unsigned round = 0; round < 300; round++) {
		struct source_cache cache;
		struct cobol_program *program;

		strbuf_reset(&source);
		strbuf_addstr(&source, "       PROCEDURE DIVISION.\n");
		for (unsigned i = 0; i < 60; i++) {
			random = random * 1664525U + 1013904223U;
			strbuf_addstr(&source, pieces[random >> 28]);
			if (random & 1 << 20)
				strbuf_addstr(&source, " A-1 ");
		}
		subject_put("damaged.cob", source.text);
		source_cache_init(&cache);
		program = cobol_program_new(&cache, path.text, copies, 1);
		for (uint64_t line = 0; program && line < 20; line++)
			cobol_program_procedure(program, path.text, line, &found);
		cobol_program_free(program);
		source_cache_release(&cache);
	}
	assert_true(found.length > 0);
	strbuf_release(&source);
	strbuf_release(&found);
	strbuf_release(&path);
}

static void check_paycalc(const char *options)
{
	static const struct {
		const char *procedure;
		uint64_t line;
		const char *text;
	} statements[] = {
		{ "BUILD-TAX-TABLE", 102, "COMPUTE BRACKET-RATE(K) = 0.011 * K" },
		{ "CALCULATE-ALL", 108, "PERFORM UNTIL TRANS-END = \"Y\"" },
		{ "READ-TRANSACTION", 123, "READ TRANS-FILE" },
		{ "COMPUTE-TAX", 146, "COMPUTE TAX ROUNDED = TAX +" },
		{ "COMPUTE-PENSION", 152, "COMPUTE PENSION ROUNDED = GROSS * 0.0925 *" },
		{ "PROJECT-PENSION", 160, "COMPUTE FUND ROUNDED =" },
		{ "PRINT-LINE", 200, "WRITE REGISTER-LINE FROM REGISTER-DETAIL." },
	};
	struct subject subject;

	assert_true(
		subject_run("cp '%s'/jcl-examples/programs/paycalc.cob .", getenv("VIGIL_SOURCE")));
	subject_compile_cobol(options, "paycalc");
	subject_open(&subject, "paycalc");
	for (size_t i = 0; i < ARRAY_SIZE(statements); i++) {
		assert_int_equal(
			subject_find(&subject, 0, statements[i].procedure, statements[i].line), 1);
		assert_string_equal(subject.levels[0].text, statements[i].text);
		assert_string_equal(subject.levels[0].section, "paycalc.cob");
		assert_string_equal(subject.levels[0].language, "COBOL");
		assert_true(subject.levels[0].size > 0);
	}
	assert_int_equal(subject_find(&subject, 0, "PAYCALC", 0), 1);
	assert_int_equal(subject_find(&subject, 0, "PAYCALC_", 0), 0);
	/* Nothing of the C code is shown: each procedure of the program is COBOL. */
	assert_int_equal(subject_find(&subject, 0, "cob_cmp_u16", 0), 0);
	subject_close(&subject);
}

static void cobol_statements_are_found(void **state UNUSED)
{
	if (!getenv("VIGIL_SOURCE"))
		skip();
	check_paycalc("-g -std=ibm");
}

static void optimized_cobol_is_found(void **state UNUSED)
{
	if (!getenv("VIGIL_SOURCE"))
		skip();
	check_paycalc("-g -O2 -std=ibm");
}

/*
 * Reads which COBOL line each line of the C code generated by cobc belongs to,
 * from the comments in it.
 */
static size_t read_truth(const char *name, unsigned *lines, size_t count)
{
	struct strbuf path = STRBUF_INIT;
	char text[512];
	size_t number = 0;
	FILE *stream;

	strbuf_addf(&path, "%s/%s", subject_folder, name);
	stream = fopen(path.text, "r");
	assert_non_null(stream);
	for (lines[0] = 0; fgets(text, sizeof(text), stream) && ++number < count;) {
		const char *comment = strstr(text, "/* Line: ");

		lines[number] =
			comment ? (unsigned)strtoul(comment + 9, NULL, 10) : lines[number - 1];
	}
	fclose(stream);
	strbuf_release(&path);
	return number;
}

/* Counts the rows in the C file, and those with a wrong COBOL line. */
static void compare_with_truth(struct subject *subject, const char *c_file, size_t *rows,
			       size_t *wrong)
{
	static unsigned truth[10000];
	size_t lines = read_truth(c_file, truth, ARRAY_SIZE(truth)), count;
	Dwarf *dwarf = dwarf_begin(subject->object->fd, DWARF_C_READ);
	Dwarf_Lines *table;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;

	assert_non_null(dwarf);
	assert_int_equal(dwarf_get_units(dwarf, NULL, &cu, NULL, &type, &die, NULL), 0);
	assert_int_equal(dwarf_getsrclines(&die, &table, &count), 0);
	for (size_t i = 0; i + 1 < count; i++) {
		Dwarf_Line *row = dwarf_onesrcline(table, i),
			   *next = dwarf_onesrcline(table, i + 1);
		Dwarf_Addr address, end;
		int line;

		dwarf_lineaddr(row, &address);
		dwarf_lineaddr(next, &end);
		dwarf_lineno(row, &line);
		if (address == end || line < 1 || (size_t)line > lines ||
		    strcmp(strrchr(dwarf_linesrc(row, NULL, NULL), '/') + 1, c_file))
			continue;
		assert_true(names_resolve(subject->names, subject->object, address, 0,
					  subject->levels) > 0);
		++*rows;
		*wrong += subject->levels[0].line != truth[line];
	}
	dwarf_end(dwarf);
}

static void statements_agree_with_the_code(void **state UNUSED)
{
	static const char *const options[] = { "-g -std=ibm", "-g -O2 -std=ibm",
					       "-g -debug -ftraceall -std=ibm" };

	if (!getenv("VIGIL_SOURCE"))
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct subject subject;
		size_t rows = 0, wrong = 0;

		assert_true(subject_run("cp '%s'/jcl-examples/programs/paycalc.cob .",
					getenv("VIGIL_SOURCE")));
		subject_compile_cobol(options[i], "paycalc");
		subject_open(&subject, "paycalc");
		compare_with_truth(&subject, "paycalc.c", &rows, &wrong);
		assert_true(rows > 500);
		if (wrong * 25 > rows)
			fail_msg("%s: %zu of %zu rows have another line", options[i], wrong, rows);
		subject_close(&subject);
	}
}

/* Sections; with GnuCOBOL 3.2 also paragraphs, for which it leaves labels. */
static void cobol_without_source_shows_labels(void **state UNUSED)
{
	struct subject subject;
	bool paragraphs;

	subject_put("gone.cob", "       IDENTIFICATION DIVISION.\n"
				"       PROGRAM-ID. GONE-1.\n"
				"       PROCEDURE DIVISION.\n"
				"       MAIN-PART SECTION.\n"
				"       START-UP.\n"
				"           PERFORM SECOND-PART\n"
				"           STOP RUN.\n"
				"       SECOND-PART SECTION.\n"
				"       WORK.\n"
				"           DISPLAY 'X'.\n");
	subject_compile_cobol("-g", "gone");
	assert_true(
		subject_run("cp gone bare-cobol && strip -g bare-cobol && mv gone.cob kept.cob"));
	subject_open(&subject, "gone");
	paragraphs = subject_find(&subject, 0, "WORK", 10);
	assert_int_equal(subject_find(&subject, 0, paragraphs ? "WORK" : "SECOND-PART", 10), 1);
	assert_string_equal(subject.levels[0].text, "");
	assert_string_equal(subject.levels[0].section, "gone.cob");
	assert_int_equal(subject_find(&subject, 0, paragraphs ? "START-UP" : "MAIN-PART", 6), 1);
	assert_non_null(strstr(subject.object->note, "gone.cob cannot be read"));
	subject_close(&subject);
	/* Without debug information the program is identified by its symbols. */
	subject_open(&subject, "bare-cobol");
	assert_int_equal(subject_find(&subject, 0, "GONE-1", 0), 1);
	assert_string_equal(subject.levels[0].language, "COBOL");
	subject_close(&subject);
}

static void cobol_without_statements_shows_programs(void **state UNUSED)
{
	struct subject subject;

	subject_put("plain.cob", "       IDENTIFICATION DIVISION.\n"
				 "       PROGRAM-ID. PLAIN.\n"
				 "       PROCEDURE DIVISION.\n"
				 "       MAIN-PART.\n"
				 "           DISPLAY 'X'\n"
				 "           STOP RUN.\n");
	/* GnuCOBOL 3.1 does so anyway, 3.2 with these options. */
	subject_compile_cobol("-A -ggdb3", "plain");
	subject_open(&subject, "plain");
	assert_int_equal(subject_find(&subject, 0, "PLAIN_", 0), 0);
	assert_int_equal(subject_find(&subject, 0, "PLAIN", 0), 1);
	assert_string_equal(subject.levels[0].language, "COBOL");
	assert_string_equal(subject.levels[0].section, "plain.cob");
	assert_non_null(strstr(subject.object->note, "without cobc -g"));
	subject_close(&subject);
}

static void changed_sources_are_told(void **state UNUSED)
{
	struct subject subject;

	subject_put("late.c", c_source);
	assert_true(subject_run("gcc -g -O2 -o late late.c && touch -d '1 hour ago' late"));
	subject_open(&subject, "late");
	assert_int_equal(subject_find(&subject, 0, "inner", 4), 3);
	assert_non_null(strstr(subject.object->note, "late.c was changed after"));
	subject_close(&subject);
}

/* Copies the segments of a loaded library; *argument is a buffer to fill. */
struct loaded {
	const char *name;
	unsigned char *image;
	size_t size;
};

static int copy_loaded(struct dl_phdr_info *info, size_t size UNUSED, void *argument)
{
	struct loaded *loaded = argument;

	if (!strstr(info->dlpi_name, loaded->name))
		return 0;
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD &&
		    info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz <= loaded->size)
			memcpy(loaded->image + info->dlpi_phdr[i].p_vaddr,
			       (void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
			       info->dlpi_phdr[i].p_memsz);
	return 1;
}

static void images_from_memory_have_exported_names(void **state UNUSED)
{
	struct loaded loaded = { .name = "/gone.so", .size = 1 << 20 };
	struct subject subject = { .start = 0, .end = 8192 };
	struct strbuf path = STRBUF_INIT;
	void *library;

	subject_put("gone.c", "int exported(int x) { return x * 3; }\n"
			      "int other(int x) { return exported(x) + 1; }\n");
	assert_true(subject_run("gcc -O1 -fPIC -shared -o gone.so gone.c"));
	strbuf_addf(&path, "%s/gone.so", subject_folder);
	library = dlopen(path.text, RTLD_NOW);
	assert_non_null(library);
	loaded.image =
		mmap(NULL, loaded.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_int_equal(dl_iterate_phdr(copy_loaded, &loaded), 1);
	object_list_init(&subject.list);
	subject.object = object_for_kind(&subject.list, OBJECT_VDSO, 0, 0, 0);
	subject.object->image = loaded.image;
	subject.object->image_size = loaded.size;
	subject.object->image_is_memory = subject.object->image_complete = true;
	subject.names = names_new();
	assert_int_equal(subject_find(&subject, 0, "exported", 0), 1);
	assert_int_equal(subject_find(&subject, 0, "other", 0), 1);
	assert_true(subject.levels[0].size > 0 && subject.levels[0].size < 64);
	subject_close(&subject);
	dlclose(library);
	strbuf_release(&path);
}

static void nested_cobol_and_copybooks(void **state UNUSED)
{
	struct subject subject;

	subject_put("nest.cob", "       >>SOURCE FORMAT IS FREE\n"
				"identification division.\n"
				"program-id. nest.\n"
				"data division.\n"
				"working-storage section.\n"
				"01 x pic 9(4) comp-5.\n"
				"procedure division.\n"
				"main-part.\n"
				"    perform calc-more 3 times\n"
				"    call 'inner'\n"
				"    stop run.\n"
				"copy 'CALC.cpy'.\n"
				"identification division.\n"
				"program-id. inner.\n"
				"procedure division.\n"
				"inner-part.\n"
				"    display 'inner'\n"
				"    goback.\n"
				"end program inner.\n"
				"end program nest.\n");
	subject_put("CALC.cpy", "calc-more.\n"
				"    add 1 to x.\n");
	subject_compile_cobol("-g", "nest");
	subject_open(&subject, "nest");
	assert_int_equal(subject_find(&subject, 0, "main-part", 10), 1);
	assert_string_equal(subject.levels[0].text, "call 'inner'");
	assert_int_equal(subject_find(&subject, 0, "calc-more", 2), 1);
	assert_string_equal(subject.levels[0].text, "add 1 to x.");
	assert_string_equal(subject.levels[0].section, "nest.cob");
	assert_non_null(strstr(subject.levels[0].file, "/CALC.cpy"));
	assert_int_equal(subject_find(&subject, 0, "inner-part", 17), 1);
	subject_close(&subject);
}

static void the_vdso_has_names(void **state UNUSED)
{
	uint64_t start = getauxval(AT_SYSINFO_EHDR);
	struct subject subject = { .start = 0, .end = 8192 };

	if (!start)
		skip();
	object_list_init(&subject.list);
	subject.object = object_for_kind(&subject.list, OBJECT_VDSO, getpid(), start, 8192);
	subject.names = names_new();
	assert_int_equal(subject_find(&subject, 0, "clock_gettime", 0) +
				 subject_find(&subject, 0, "__vdso_clock_gettime", 0) +
				 subject_find(&subject, 0, "__kernel_clock_gettime", 0),
			 1);
	subject_close(&subject);
}

/* Changes bytes of a file at offsets from a fixed sequence of numbers. */
static void damage(const char *from, const char *to, unsigned seed)
{
	struct strbuf content = STRBUF_INIT, path = STRBUF_INIT;
	uint32_t random = seed * 2654435761U + 1;
	FILE *stream;

	strbuf_addf(&path, "%s/%s", subject_folder, from);
	assert_int_equal(strbuf_read_file(&content, path.text), 0);
	for (unsigned i = 0; i < 200; i++) {
		random = random * 1664525U + 1013904223U;
		/* Half of the damage is in the debug sections and headers at the end. */
		content.text[i % 2 ? random % content.length
				   : content.length - 1 - random % (content.length / 3)] =
			(char)(random >> 24);
	}
	memcpy(content.text, "\177ELF\2\1\1", 7);
	strbuf_reset(&path);
	strbuf_addf(&path, "%s/%s", subject_folder, to);
	stream = fopen(path.text, "w");
	assert_non_null(stream);
	assert_int_equal(fwrite(content.text, 1, content.length, stream), content.length);
	fclose(stream);
	strbuf_release(&content);
	strbuf_release(&path);
}

static void damaged_files_are_survived(void **state UNUSED)
{
	struct subject subject, whole;
	size_t named = 0;

	subject_put("inline.c", c_source);
	assert_true(subject_run("gcc -g -O2 -o inline inline.c"));
	subject_open(&whole, "inline");
	for (unsigned seed = 0; seed < 60; seed++) {
		damage("inline", "damaged", seed);
		subject_open(&subject, "damaged");
		for (uint64_t at = whole.start; at < whole.end; at += 3)
			named += names_resolve(subject.names, subject.object, at, 0,
					       subject.levels) > 0;
		subject_close(&subject);
	}
	assert_true(named > 0);
	/* Truncated to various lengths. */
	for (unsigned size = 1; size < 15000; size += 1511) {
		assert_true(subject_run("head -c %u inline >damaged", size));
		subject_open(&subject, "damaged");
		for (uint64_t at = whole.start; at < whole.end; at += 5)
			names_resolve(subject.names, subject.object, at, 0, subject.levels);
		assert_non_null(subject.object->note);
		subject_close(&subject);
	}
	subject_close(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inlined_calls_are_levels),
		cmocka_unit_test(every_form_of_information_is_read),
		cmocka_unit_test(stripped_objects_say_so),
		cmocka_unit_test(routines_without_names_have_starts),
		cmocka_unit_test(debug_links_are_followed),
		cmocka_unit_test(debug_files_must_have_the_build_id),
		cmocka_unit_test(debuginfod_is_asked_when_set),
		cmocka_unit_test(packed_symbols_are_read),
		cmocka_unit_test(symbols_are_chosen_well),
		cmocka_unit_test(stubs_of_static_programs_are_named),
		cmocka_unit_test(cplusplus_is_readable),
		cmocka_unit_test(overloads_stay_apart),
		cmocka_unit_test(demangling_has_a_bound),
		cmocka_unit_test(cobol_fixed_format),
		cmocka_unit_test(cobol_free_format),
		cmocka_unit_test(damaged_sources_are_survived),
		cmocka_unit_test(cobol_statements_are_found),
		cmocka_unit_test(optimized_cobol_is_found),
		cmocka_unit_test(statements_agree_with_the_code),
		cmocka_unit_test(cobol_without_source_shows_labels),
		cmocka_unit_test(cobol_without_statements_shows_programs),
		cmocka_unit_test(nested_cobol_and_copybooks),
		cmocka_unit_test(changed_sources_are_told),
		cmocka_unit_test(images_from_memory_have_exported_names),
		cmocka_unit_test(the_vdso_has_names),
		cmocka_unit_test(damaged_files_are_survived),
	};

	return cmocka_run_group_tests(tests, subject_folder_make, subject_folder_remove);
}
