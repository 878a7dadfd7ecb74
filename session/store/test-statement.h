/* SPDX-License-Identifier: Apache-2.0 */
/* One control statement, parsed and checked as for the queue: what unit tests give to a store. */
#ifndef VIGIL_SESSION_STORE_TEST_STATEMENT_H
#define VIGIL_SESSION_STORE_TEST_STATEMENT_H

#include "parser/control.h"

struct test_statement {
	struct source *source;
	struct control_deck *deck;
	const struct control_statement *first; /* borrowed from the deck */
};

/* Parses a text, which must be without errors and warnings. */
void test_statement_parse(struct test_statement *statement, const char *text);
void test_statement_release(struct test_statement *statement);

#endif
