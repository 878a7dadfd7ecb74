/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of names and patterns. */
#include "common/compat.h"
#include "common/pattern.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define MAINFRAME (PATTERN_IGNORE_CASE | PATTERN_PERCENT | PATTERN_NO_QUESTION_MARK)

static void names_fit_patterns(void **state UNUSED)
{
	static const struct {
		const char *pattern, *name;
		unsigned flags;
		bool fits;
	} cases[] = {
		{ "", "", 0, true },
		{ "", "A", 0, false },
		{ "*", "", 0, true },
		{ "**", "AB", 0, true },
		{ "A*", "A", 0, true },
		{ "A*C", "ABBC", 0, true },
		{ "A*C", "ABCB", 0, false },
		{ "*AB", "AAB", 0, true },
		{ "*A*B*", "xAyBz", 0, true },
		{ "?", "", 0, false },
		{ "A?C", "ABC", 0, true },
		{ "A?", "ABC", 0, false },
		{ "a", "A", 0, false },
		{ "a*", "AB", PATTERN_IGNORE_CASE, true },
		{ "%", "A", 0, false },
		{ "%", "%", 0, true },
		{ "A%", "AB", PATTERN_PERCENT, true },
		{ "A?", "AB", MAINFRAME, false },
		{ "A?", "a?", MAINFRAME, true },
		{ "%*%", "A", MAINFRAME, false },
		{ "%*%", "AB", MAINFRAME, true },
		/* Brackets are literal: there are no character sets. */
		{ "operator[]", "operator[]", 0, true },
		{ "[AB]", "A", 0, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		if (pattern_matches(cases[i].pattern, cases[i].name, cases[i].flags) != cases[i].fits)
			fail_msg("%s and %s", cases[i].pattern, cases[i].name);
}

/* Nothing beyond the given lengths is read. */
static void parts_fit_patterns(void **state UNUSED)
{
	assert_true(pattern_matches_part("A*.B", 2, "AXY.C", 3, 0));
	assert_false(pattern_matches_part("A*.B", 2, "BA", 2, 0));
	assert_true(pattern_matches_part("AB*", 2, "ABC", 2, 0));
	assert_false(pattern_matches_part("AB*", 2, "ABC", 3, 0));
	assert_true(pattern_matches_part("A", 0, "B", 0, 0));
}

/* A pattern that takes exponential time in a matcher that tries all asterisks. */
static void asterisks_are_many(void **state UNUSED)
{
	char name[4096];

	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_false(pattern_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", name, 0));
	assert_true(pattern_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*", name, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_fit_patterns),
		cmocka_unit_test(parts_fit_patterns),
		cmocka_unit_test(asterisks_are_many),
	};

	return cmocka_run_group_tests_name("pattern", tests, NULL, NULL);
}
