/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the tests of the JCL parser: a deck with everything derived from it. */
#ifndef VIGIL_PARSER_TEST_JCL_OUTCOME_H
#define VIGIL_PARSER_TEST_JCL_OUTCOME_H

#include "parser/jcl.h"

struct outcome {
	struct source *source;
	struct jcl_deck *deck;
	struct plan_job *jobs;
	struct diag_list diags; /* sorted */
};

/* Parses a deck, and evaluates it if requested. */
struct outcome outcome_of(const char *text, size_t length, bool evaluate);
/* The same, evaluated, with options other than the tests' defaults. */
struct outcome outcome_with(const char *text, size_t length, const struct jcl_options *options);
void outcome_release(struct outcome *made);
/* Appends "VIG1103E:12:14 ..." or "-". */
void add_messages(struct strbuf *sb, const struct diag_list *diags);
/* Returns whether the canonical print of a deck parses to the same trees. */
bool print_parses_equal(const struct jcl_deck *deck);
/* Reads a file below the source tree; NULL: it does not exist. */
struct strbuf *read_test_file(struct strbuf *sb, const char *name);
/* Appends a table's field with its escapes resolved. */
void add_unescaped(struct strbuf *sb, const char *text, size_t length);

#endif
