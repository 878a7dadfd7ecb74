/* SPDX-License-Identifier: Apache-2.0 */
/* Codes of event types, and sets of them. */
#include "common/compat.h"
#include "records/event-codes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void test_every_type_has_a_code(void **state)
{
	(void)state;
	for (unsigned i = 1; i < EVENT_TYPE_COUNT; i++) {
		const char *code = event_code(i);

		assert_int_equal(event_code_types(code, strlen(code)), EVENT_TYPE_BIT(i));
	}
	assert_string_equal(event_code(0), "?");
	assert_string_equal(event_code(EVENT_TYPE_COUNT), "?");
	assert_int_equal(event_code_types("PSX", 3), 0);
	assert_int_equal(event_code_types("kx,", 2), EVENT_TYPE_BIT(EVENT_KX));
}

static void expect_set(const char *word, const char *formatted)
{
	struct strbuf text = STRBUF_INIT;

	event_codes_format(&text, event_code_types(word, strlen(word)));
	assert_string_equal(text.text, formatted);
	strbuf_release(&text);
}

static void test_groups(void **state)
{
	uint64_t all = 0;

	(void)state;
	expect_set("s", "S");
	expect_set("P", "P");
	expect_set("n", "N");
	expect_set("K", "K");
	expect_set("e", "E");
	expect_set("mp", "MP");
	expect_set("mb", "MB");
	expect_set("all", "ALL");
	expect_set("M", "");
	expect_set("X", "");
	expect_set("", "");
	for (const char *letter = "SPNDICKEU"; *letter; letter++)
		all |= event_code_types(letter, 1);
	assert_false(all & EVENT_TYPE_BIT(EVENT_PP));
	all |= event_code_types("PP", 2);
	assert_int_equal(all, EVENT_TYPES_ALL);
	assert_int_equal(event_code_types("S", 1), EVENT_TYPE_BIT(EVENT_SI) |
							   EVENT_TYPE_BIT(EVENT_ST) |
							   EVENT_TYPE_BIT(EVENT_MP) |
							   EVENT_TYPE_BIT(EVENT_MB));
}

static void test_format(void **state)
{
	struct strbuf text = STRBUF_INIT;

	(void)state;
	event_codes_format(&text, event_code_types("D", 1) | EVENT_TYPE_BIT(EVENT_PS) |
					  EVENT_TYPE_BIT(EVENT_NS) | EVENT_TYPE_BIT(EVENT_KF) |
					  EVENT_TYPE_BIT(EVENT_U));
	assert_string_equal(text.text, "PS,N,D,U,KF");
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_type_has_a_code),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
