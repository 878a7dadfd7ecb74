/* SPDX-License-Identifier: Apache-2.0 */
/* Text built in the caller's memory. */
#include "agent/agent-text.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

static void numbers_are_decimal_signed_and_hexadecimal(void **state UNUSED)
{
	char memory[128];
	struct agent_text text = agent_text_in(memory, sizeof(memory));

	agent_text_number(&text, 0, 0);
	agent_text_add(&text, " ");
	agent_text_number(&text, 12, 4);
	agent_text_add(&text, " ");
	agent_text_number(&text, 12345, 4);
	agent_text_add(&text, " ");
	agent_text_number(&text, UINT64_MAX, 0);
	agent_text_add(&text, " ");
	agent_text_signed(&text, INT64_MIN);
	agent_text_add(&text, " ");
	agent_text_signed(&text, 7);
	agent_text_add(&text, " ");
	agent_text_hex(&text, UINT64_C(0xfe1abc));
	assert_string_equal(memory, "0 0012 12345 18446744073709551615 -9223372036854775808 7 "
				    "fe1abc");
	assert_int_equal(text.length, strlen(memory));
	assert_false(text.truncated);
}

static void zeros_are_added_up_to_twenty_digits(void **state UNUSED)
{
	char memory[64];
	struct agent_text text = agent_text_in(memory, sizeof(memory));

	agent_text_number(&text, 1, 40);
	assert_string_equal(memory, "00000000000000000001");
}

static void what_does_not_fit_is_cut_and_said(void **state UNUSED)
{
	char memory[8];
	struct agent_text text = agent_text_in(memory, sizeof(memory));

	agent_text_add(&text, "123456");
	assert_false(text.truncated);
	agent_text_add(&text, "7");
	assert_string_equal(memory, "1234567");
	assert_false(text.truncated);
	agent_text_add(&text, "8");
	assert_string_equal(memory, "1234567");
	assert_true(text.truncated);
}

static void no_part_of_a_number_is_added(void **state UNUSED)
{
	char memory[8];
	struct agent_text text = agent_text_in(memory, sizeof(memory));

	agent_text_add(&text, "1234");
	agent_text_number(&text, 5678, 0);
	assert_string_equal(memory, "1234");
	assert_true(text.truncated);
	agent_text_number(&text, 567, 0);
	assert_string_equal(memory, "1234567");
}

static void errors_have_their_text_or_number(void **state UNUSED)
{
	char memory[64];
	struct agent_text text = agent_text_in(memory, sizeof(memory));

	agent_text_error(&text, ENOSPC);
	agent_text_add(&text, "; ");
	agent_text_error(&text, 99999);
	assert_string_equal(memory, "No space left on device; error 99999");
}

static void a_message_that_cannot_be_written_changes_no_errno(void **state UNUSED)
{
	char memory[] = "text";
	struct agent_text text = { .text = memory, .size = sizeof(memory), .length = 4 };
	int saved = dup(STDERR_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	assert_true(saved >= 0 && full >= 0);
	assert_int_equal(agent_write(full, "x", 1), -1);
	assert_int_equal(errno, ENOSPC);
	assert_true(dup2(full, STDERR_FILENO) >= 0);
	errno = 77;
	agent_write_error(&text);
	assert_int_equal(errno, 77);
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_decimal_signed_and_hexadecimal),
		cmocka_unit_test(zeros_are_added_up_to_twenty_digits),
		cmocka_unit_test(what_does_not_fit_is_cut_and_said),
		cmocka_unit_test(no_part_of_a_number_is_added),
		cmocka_unit_test(errors_have_their_text_or_number),
		cmocka_unit_test(a_message_that_cannot_be_written_changes_no_errno),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
