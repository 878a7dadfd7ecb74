/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the fingerprints of SQL statements: which statements have the same one,
 * and which do not.
 */
#include "common/compat.h"
#include "common/fingerprint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct {
	const char *statement, *expected;
} statements[] = {
	{ "SELECT 1", "select ?" },
	{ "  select\n\t42 ;; ", "select ?" },
	{ "select -1, +2.5e-3, .5, 1e5, 0xFF, 1_000", "select ?, ?, ?, ?, ?, ?" },
	{ "select a-1, a - -1, (a)-1, a+b", "select a - ?, a - ?, (a) - ?, a + b" },
	{ "select * from T where ID=$1", "select * from t where id = ?" },
	{ "select * from t where id = 7", "select * from t where id = ?" },
	{ "select 'it''s', E'a\\'b', B'01', x'ff', N'n', U&'\\0041', u&\"Name\"",
	  "select ?, ?, ?, ?, ?, ?, \"Name\"" },
	{ "select 'a'\n 'b'", "select ?" },
	{ "select $$text; 'it'$$, $a$ $b$ $$ $a$, 1", "select ?, ?, ?" },
	{ "select \"Mixed Case\", \"a\"\"b\" from \"S\".\"T\"",
	  "select \"Mixed Case\", \"a\"\"b\" from \"S\".\"T\"" },
	{ "select /* one /* two */ 'three' */ 1 -- four 'five'\n , 2", "select ?, ?" },
	{ "select 1 from t where a in (1,2 , 3)", "select ? from t where a in (...)" },
	{ "select 1 from t where a IN('x')", "select ? from t where a in (...)" },
	{ "select 1 from t where a in (1, b)", "select ? from t where a in (?, b)" },
	{ "select 1 from t where a in (select b from u)",
	  "select ? from t where a in (select b from u)" },
	{ "select array[1,-2,3], a[1], a [2:3]", "select array[...], a[?], a[?:?]" },
	{ "insert into t (a,b) values (1,'x'),(2,'y'),(3,'z')",
	  "insert into t(a, b) values (?, ?)" },
	{ "insert into t values (1, now()), (2, now()) on conflict do nothing",
	  "insert into t values (?, now()) on conflict do nothing" },
	{ "select (1), (1)", "select (?), (?)" },
	{ "select COUNT( * ), t . * from t", "select count(*), t.* from t" },
	{ "select a::Int8, b->>'k', c||'x', d<>-1", "select a::int8, b ->> ?, c || ?, d <> ?" },
	{ "select a from t where b is null and not(c)",
	  "select a from t where b is null and not (c)" },
	{ "select 1--", "select ?" },
	{ "select 'not closed", "select ?" },
	{ "select 1)", "select ?)" },
	{ "select \xC3\xA4 from T\xC3\x84", "select \xC3\xA4 from t\xC3\x84" },
	{ "", "" },
	{ " /* nothing */ ; ", "" },
};

static void statements_have_their_form(void **state UNUSED)
{
	char name[FINGERPRINT_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(statements); i++) {
		fingerprint(statements[i].statement, name);
		assert_string_equal(name, statements[i].expected);
	}
}

/* Writes a statement whose columns have names of this letter, and one more at the end. */
static void long_statement(char *text, size_t size, const char *column, const char *last)
{
	size_t length = (size_t)snprintf(text, size, "select ");

	while (length < 400)
		length += (size_t)snprintf(text + length, size - length, "%s, ", column);
	snprintf(text + length, size - length, "%s", last);
}

static void long_names_stay_different(void **state UNUSED)
{
	char text[600], first[FINGERPRINT_SIZE], second[FINGERPRINT_SIZE];

	long_statement(text, sizeof(text), "column_name", "a");
	fingerprint(text, first);
	long_statement(text, sizeof(text), "column_name", "b");
	fingerprint(text, second);
	assert_int_equal(strlen(first), FINGERPRINT_MAX);
	assert_int_equal(strlen(second), FINGERPRINT_MAX);
	assert_memory_equal(first, second, FINGERPRINT_MAX - 8);
	assert_string_not_equal(first, second);
}

static void characters_are_not_cut(void **state UNUSED)
{
	char text[600], name[FINGERPRINT_SIZE];

	for (size_t shift = 0; shift < 2; shift++) {
		size_t length;

		memset(text, 'x', sizeof(text));
		for (size_t i = shift; i + 2 < sizeof(text); i += 2)
			memcpy(text + i, "\xC3\xA4", 2);
		text[sizeof(text) - 2] = text[sizeof(text) - 1] = 0;
		fingerprint(text, name);
		length = strlen(name);
		assert_true(length >= FINGERPRINT_MAX - 1);
		assert_int_equal(name[length - 9], '~');
		assert_int_equal((unsigned char)name[length - 10], 0xA4);
	}
}

static void long_statements_and_deep_ones_are_read(void **state UNUSED)
{
	static char text[FINGERPRINT_TEXT_MAX];
	char name[FINGERPRINT_SIZE];

	for (const char *byte = "(a1,'\"$-/[."; *byte; byte++) {
		memset(text, *byte, sizeof(text) - 1);
		fingerprint(text, name);
		assert_true(strlen(name) <= FINGERPRINT_MAX);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statements_have_their_form),
		cmocka_unit_test(long_names_stay_different),
		cmocka_unit_test(characters_are_not_cut),
		cmocka_unit_test(long_statements_and_deep_ones_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
