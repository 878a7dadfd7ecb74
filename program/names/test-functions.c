/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the names of C++ functions with those of the linker's symbols and with
 * the output of addr2line.
 */
#include "common/compat.h"
#include "common/path.h"
#include "program/names/test-names-subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/*
 * Compiles the program, two units with sources of the same name in two folders;
 * returns false if there is no compiler.
 */
static bool compile(const char *compiler, const char *options)
{
	const char *source = getenv("VIGIL_SOURCE");

	if (!subject_run("command -v %s", compiler))
		return false;
	if (!source) {
		print_message("VIGIL_SOURCE is not set\n");
		skip();
	}
	if (subject_run("for unit in first second; do mkdir -p $unit && "
			"cp %s/tests/programs/names-unit.cpp $unit/unit.cpp && "
			"%s %s -I%s/tests/programs -DUNIT=$unit -c $unit/unit.cpp -o $unit.o || "
			"exit; done; "
			"%s %s %s/tests/programs/names-main.cpp first.o second.o -o names",
			source, compiler, options, source, compiler, options, source))
		return true;
	print_message("%s %s failed, see %s/log\n", compiler, options, subject_folder);
	fail();
	return false;
}

/* Returns whether a function has a line of this program. */
static bool has_source(const struct name *level)
{
	return *level->file && !strstr(level->file, "/usr/");
}

/*
 * Compares the name of each function with the demangled name of its symbol;
 * returns how many were compared.
 */
static unsigned compare_symbols(struct subject *subject)
{
	struct strbuf command = STRBUF_INIT;
	char line[4096], kind;
	unsigned compared = 0;
	FILE *symbols;

	strbuf_addf(&command, "nm -C --defined-only %s/names", subject_folder);
	symbols = popen(command.text, "r");
	assert_non_null(symbols);
	while (fgets(line, sizeof(line), symbols)) {
		uint64_t address;
		int start;
		size_t count;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNx64 " %c %n", &address, &kind, &start) != 2 ||
		    !strchr("tTwW", kind) || strstr(line, "[clone"))
			continue;
		count = names_resolve(subject->names, subject->object, address, 0, subject->levels);
		if (!count || !has_source(&subject->levels[count - 1]))
			continue;
		assert_string_equal(subject->levels[count - 1].procedure, line + start);
		compared++;
	}
	assert_int_equal(pclose(symbols), 0);
	strbuf_release(&command);
	return compared;
}

static const char *const compilers[] = { "g++", "clang++" };
static const char *const forms[] = { "-gdwarf-4", "-gdwarf-5", "-gdwarf-5 -gsplit-dwarf" };

static void functions_are_named_as_their_symbols(void **state UNUSED)
{
	static const char *const levels[] = { "-O0", "-O2 -fno-ipa-sra -fno-ipa-cp" };
	unsigned compiled = 0;

	for (size_t i = 0; i < ARRAY_SIZE(compilers) * ARRAY_SIZE(forms) * ARRAY_SIZE(levels);
	     i++) {
		struct strbuf options = STRBUF_INIT;
		struct subject subject;

		strbuf_addf(&options, "-g %s %s", forms[i / 2 % ARRAY_SIZE(forms)], levels[i % 2]);
		if (strstr(levels[i % 2], "ipa") && i / 6)
			strbuf_setlen(&options,
				      options.length - strlen(" -fno-ipa-sra -fno-ipa-cp"));
		if (compile(compilers[i / 6], options.text)) {
			subject_open(&subject, "names");
			print_message("# %s %s\n", compilers[i / 6], options.text);
			assert_true(compare_symbols(&subject) >= 20);
			subject_close(&subject);
			compiled++;
		}
		strbuf_release(&options);
	}
	if (!compiled)
		skip();
}

/* Returns whether a function with a name is inlined into a lambda. */
static bool is_in_lambda(struct subject *subject, const char *procedure)
{
	for (uint64_t at = subject->start; at < subject->end; at++)
		if (names_resolve(subject->names, subject->object, at, 0, subject->levels) > 1 &&
		    !strcmp(subject->levels[0].procedure, procedure) &&
		    strstr(subject->levels[1].procedure, "::operator()(long) const"))
			return true;
	return false;
}

/* GCC nests the code of a lambda in that of its function, if it is not optimised. */
static void lambdas_have_calls_inlined(void **state UNUSED)
{
	unsigned compiled = 0;

	for (size_t i = 0; i < ARRAY_SIZE(compilers); i++) {
		struct subject subject;

		if (!compile(compilers[i], "-g -O0"))
			continue;
		compiled++;
		subject_open(&subject, "names");
		assert_true(is_in_lambda(&subject, "quick(long)"));
		subject_close(&subject);
	}
	if (!compiled)
		skip();
}

/*
 * Inlined functions show their owners, too; sources with the same name in two
 * folders are two sections.
 */
static void inlined_functions_keep_their_owners(void **state UNUSED)
{
	unsigned compiled = 0;

	for (size_t i = 0; i < ARRAY_SIZE(compilers); i++) {
		struct subject subject;
		size_t count;

		if (!compile(compilers[i], "-g -O1"))
			continue;
		compiled++;
		subject_open(&subject, "names");
		count = subject_find(&subject, 0, "shop::price::taxed(long) const", 0);
		assert_true(count > 1);
		assert_string_equal(path_base(subject.levels[0].file), "names.hpp");
		assert_string_equal(path_base(subject.levels[1].file), "unit.cpp");
		count = subject_find(&subject, 0, "quick(long)", 0);
		assert_true(count > 1);
		assert_string_equal(subject.levels[count - 1].procedure, "first(long)");
		assert_string_equal(subject.levels[0].section, "first/unit.cpp");
		assert_true(subject_find(&subject, 0, "second(long)", 0) > 0);
		assert_string_equal(subject.levels[0].section, "second/unit.cpp");
		assert_true(subject_find(&subject, 0, "main", 0) > 0);
		assert_string_equal(subject.levels[0].section, "names-main.cpp");
		subject_close(&subject);
	}
	if (!compiled)
		skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_named_as_their_symbols),
		cmocka_unit_test(inlined_functions_keep_their_owners),
		cmocka_unit_test(lambdas_have_calls_inlined),
	};

	return cmocka_run_group_tests(tests, subject_folder_make, subject_folder_remove);
}
