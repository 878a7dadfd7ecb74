/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of the signs of zoned numbers. */
#include "common/compat.h"
#include "datasets/signs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void bytes_are_read(void **state UNUSED)
{
	static const struct {
		const char *bytes; /* of the digits 0 to 9 */
		enum sign_kind kind;
		bool negative;
	} rows[] = {
		{ "0123456789", SIGN_PLAIN, false },
		{ "pqrstuvwxy", SIGN_ASCII, true },
		{ "{ABCDEFGHI", SIGN_EBCDIC, false },
		{ "}JKLMNOPQR", SIGN_EBCDIC, true },
	};
	size_t known = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (unsigned digit = 0; digit < 10; digit++) {
			unsigned char byte = (unsigned char)rows[i].bytes[digit];

			assert_int_equal(sign_kind(byte), rows[i].kind);
			assert_int_equal(sign_digit(byte), digit);
			assert_int_equal(sign_negative(byte), rows[i].negative);
		}
	for (unsigned byte = 0; byte < 256; byte++)
		known += sign_kind((unsigned char)byte) != SIGN_NONE;
	assert_int_equal(known, 40);
	/* The neighbours of each row. */
	for (const char *at = "/:oz@S|~"; *at; at++)
		assert_int_equal(sign_kind((unsigned char)*at), SIGN_NONE);
}

static void bytes_are_made(void **state UNUSED)
{
	for (unsigned digit = 0; digit < 10; digit++) {
		char number = (char)('0' + digit);

		assert_int_equal(sign_byte(digit, false, false, SIGN_ASCII), number);
		assert_int_equal(sign_byte(digit, false, true, SIGN_ASCII), number);
		assert_int_equal(sign_byte(digit, false, false, SIGN_EBCDIC), number);
		assert_int_equal(sign_byte(digit, true, false, SIGN_ASCII), "pqrstuvwxy"[digit]);
		assert_int_equal(sign_byte(digit, true, false, SIGN_EBCDIC), "}JKLMNOPQR"[digit]);
		assert_int_equal(sign_byte(digit, false, true, SIGN_EBCDIC), "{ABCDEFGHI"[digit]);
	}
}

static void the_rule_is_of_the_environment(void **state UNUSED)
{
	enum sign_kind kind = SIGN_NONE;

	assert_true(signs_parse("ebcdic", &kind));
	assert_int_equal(kind, SIGN_EBCDIC);
	assert_false(signs_parse("EBCDI", &kind));
	assert_false(signs_parse("", &kind));
	assert_int_equal(kind, SIGN_EBCDIC);
	assert_true(signs_parse(SIGNS_DEFAULT, &kind));
	assert_string_equal(signs_name(kind), SIGNS_DEFAULT);
	unsetenv(SIGNS_VARIABLE);
	assert_int_equal(signs_rule(), kind);
	setenv(SIGNS_VARIABLE, "EBCDIC", 1);
	assert_int_equal(signs_rule(), SIGN_EBCDIC);
	setenv(SIGNS_VARIABLE, "nonsense", 1);
	assert_int_equal(signs_rule(), kind);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_read),
		cmocka_unit_test(bytes_are_made),
		cmocka_unit_test(the_rule_is_of_the_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
