/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a control statement for a unit test. */
#include "common/compat.h"
#include "session/store/test-statement.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

void test_statement_parse(struct test_statement *statement, const char *text)
{
	struct diag_list diags = DIAG_LIST_INIT;

	statement->source = source_new("test", text, strlen(text));
	statement->deck = control_parse(statement->source, false, &diags);
	statement->deck->queue = true;
	control_check(statement->deck, &diags);
	diag_print(&diags, stderr);
	assert_int_equal(diag_max_severity(&diags), SEVERITY_INFO);
	diag_list_release(&diags);
	statement->first = statement->deck->statements;
}

void test_statement_release(struct test_statement *statement)
{
	control_free(statement->deck);
	source_free(statement->source);
}
