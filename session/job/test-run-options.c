/* SPDX-License-Identifier: Apache-2.0 */
#include "common/compat.h"
#include "session/job/run-options.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Returns the options of a text; problem is part of the expected error, NULL: none. */
static struct run_options read(const char *text, const char *problem)
{
	struct run_options options = { 0 };
	struct error err = ERROR_INIT;

	assert_int_equal(run_options_read(&options, text, &err), problem ? -1 : 0);
	if (problem)
		assert_non_null(strstr(error_text(&err), problem));
	error_release(&err);
	return options;
}

static void check(const char *text, bool profile, bool test, const char *string)
{
	struct run_options options = read(text, NULL);

	assert_int_equal(options.profile, profile);
	assert_int_equal(options.test, test);
	assert_string_equal(options.string, string);
}

static void test_options(void **state)
{
	(void)state;
	check("", false, false, "");
	check("PROFILE(ON,'abc')", true, false, "ABC");
	check("profile(on)", true, false, "");
	check("PROFILE(ON , \"a'b\"),TEST", true, true, "A'B");
	check("PROFILE(ON,'a''b,c)(')", true, false, "A'B,C)(");
	check("PROFILE(ON,plain text)", true, false, "PLAIN TEXT");
	check("PROFILE(OFF,'x')", false, false, "X");
	check("TEST(ALL,'*',PROMPT,*) NOTEST", false, false, "");
	check("RPTOPTS(ON),NOAIXBLD,HEAP(4K,(1,2)),PROFILE(ON,'x') STACK(4K)", true, false, "X");
	check("PROFILE(ON,'x'),PROFILE(OFF)", false, false, "");
}

static void test_errors(void **state)
{
	char text[300];

	(void)state;
	read("NONSENSE(ON)", "NONSENSE is not a run-time option");
	read("PROFILE", "needs (ON");
	read("PROFILE(MAYBE)", "not \"MAYBE\"");
	read("PROFILE(ON,'x'", "not closed");
	read("PROFILE(ON,'x)", "not closed");
	read("TEST(", "not closed");
	read("TEST / X", "\"/ X\" is not a run-time option");
	assert_true(read("PROFILE(ON,'x'),WRONG", "WRONG").profile);
	snprintf(text, sizeof(text), "PROFILE(ON,'%0250d')", 1);
	assert_int_equal(strlen(read(text, NULL).string), 250);
	snprintf(text, sizeof(text), "PROFILE(ON,'%0251d')", 1);
	assert_false(read(text, "longer than 250").profile);
}

/* Checks what is left of a PARM, and whether PROFILE was in it. */
static void check_parm(const char *parm, const char *left, bool profile)
{
	struct run_options options = { 0 };
	char text[100];

	snprintf(text, sizeof(text), "%s", parm);
	assert_int_equal(run_options_parm(&options, text, NULL), 0);
	assert_string_equal(text, left);
	assert_int_equal(options.profile, profile);
}

static void test_parm(void **state)
{
	(void)state;
	check_parm("", "", false);
	check_parm("PROFILE(ON,'a/b')/one/two", "one/two", true);
	check_parm("RPTOPTS(ON),PROFILE(ON)/", "", true);
	check_parm("one/two/PROFILE(ON,'a/b')", "one/two", true);
	check_parm("/PROFILE(ON)", "", true);
	check_parm("/etc/passwd", "/etc/passwd", false);
	check_parm("STACK/HEAP", "STACK/HEAP", false);
	check_parm("PROFILE(ON)", "PROFILE(ON)", false);
	check_parm("ONE,PROFILE(ON)/two", "ONE,PROFILE(ON)/two", false);
	check_parm("one/TWO,PROFILE(ON)", "one/TWO,PROFILE(ON)", false);
	check_parm("one/PROFILE(ON", "one/PROFILE(ON", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_options),
					    cmocka_unit_test(test_errors),
					    cmocka_unit_test(test_parm) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
