/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SORT's control statements as text, and the scanner that all of them share.
 *
 * A statement: an optional label in column 1, the operation, operands up to
 * the first blank outside apostrophes, remarks. Operands that end with a comma or
 * a colon go on with the next line; those that reach column 71 go on there
 * when column 72 is not blank. A '*' in column 1 makes a comment.
 *
 * Errors go to a list with the place in the source. A scan that failed stays
 * failed: the functions below then return at once, so that callers need to
 * look only where they loop.
 */
#ifndef VIGIL_UTILITIES_SORT_SORT_SCAN_H
#define VIGIL_UTILITIES_SORT_SORT_SCAN_H

#include "common/diag.h"

#define SCAN_WORD 24 /* the longest word, with its NUL */

__extension__ typedef __int128 sort_number;

struct scan_place {
	unsigned line, column;
};

struct sort_statement {
	char operation[SCAN_WORD]; /* upper case */
	struct strbuf text;	   /* the operands */
	struct scan_place *places; /* of each byte of text, and of its end */
	size_t place_alloc;
	const struct source *source; /* borrowed */
	struct location location;    /* of the operation */
	struct sort_statement *next;
};

/* Cuts a source into statements. cards: columns 1 to 71 count, else whole lines. */
struct sort_statement *sort_statements(const struct source *source, bool cards,
				       struct diag_list *diags);
/* The lines of SYMNAMES, each the operands of a statement without an operation. */
struct sort_statement *sort_symbol_lines(const struct source *source);
/* Adds a byte, which stands at that place of the source, to a statement's operands. */
void sort_statement_add(struct sort_statement *statement, char c, struct scan_place place);
void sort_statements_free(struct sort_statement *list);

struct sort_fields; /* field.h */

struct scan {
	const struct sort_statement *statement;
	struct diag_list *diags;
	const char *at; /* what comes next; NUL at the end */
	bool failed;
	struct sort_fields
		*zoned; /* field_check adds those with a sign in a digit; NULL: not wanted */
};

void scan_init(struct scan *scan, const struct sort_statement *statement, struct diag_list *diags);
/* Diagnose "expected ..." at what comes next. Returns -1. */
int scan_expected(struct scan *scan, const char *what);
/* Diagnose at a place of the text that was passed already. Returns -1. */
int scan_error_at(struct scan *scan, const char *at, unsigned number, const char *format, ...)
	PRINTFLIKE(4, 5);
/* Diagnose that something there is understood but not supported. Returns -1. */
int scan_refuse(struct scan *scan, const char *at, const char *what);

bool scan_done(const struct scan *scan);
/* Returns whether c comes next; it is passed. */
bool scan_take(struct scan *scan, char c);
/* Passes c, else diagnose. */
bool scan_want(struct scan *scan, char c);
/* The letters, digits, '$', '#', '@' and '_' that come next, upper case, without passing them; ""
 * when there are none. */
size_t scan_peek(const struct scan *scan, char word[SCAN_WORD]);
/* Returns whether word comes next, as a whole; it is not passed. */
bool scan_peek_is(const struct scan *scan, const char *word);
/*
 * Returns whether word comes next, as a whole and followed by c when c is not NUL;
 * both are passed.
 */
bool scan_keyword(struct scan *scan, const char *word, char c);
/* A number from low to high. 0 when it was diagnosed. */
size_t scan_number(struct scan *scan, size_t low, size_t high, const char *what);
/* A decimal constant with an optional sign. */
sort_number scan_decimal(struct scan *scan);
/* Returns whether a decimal constant comes next. */
bool scan_at_decimal(const struct scan *scan);
/* Returns whether C'...' or X'...' comes next. */
bool scan_at_bytes(const struct scan *scan);
/* C'...' with doubled apostrophes or X'...', appended to bytes. */
void scan_bytes(struct scan *scan, struct strbuf *bytes);
/* The same, or '...' without a C before it. */
void scan_text(struct scan *scan, struct strbuf *bytes);
/* The value of a keyword up to a comma or parenthesis on its own level: passed. */
void scan_skip_value(struct scan *scan);

#endif
