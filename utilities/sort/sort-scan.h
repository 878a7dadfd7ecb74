/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SORT's control statements as text, and the scanner that all parsers of them
 * share.
 *
 * A statement: an optional label in column 1, the operation, operands up to the
 * first blank outside apostrophes, remarks. Operands that end with a comma or a
 * colon continue on the next line; those that reach column 71 continue there when
 * column 72 is not blank. A '*' in column 1 begins a comment.
 *
 * Errors go to a list with their location in the source. A failed scan stays
 * failed: the functions below then return at once, so that callers need to check
 * only in loops.
 */
#ifndef VIGIL_UTILITIES_SORT_SORT_SCAN_H
#define VIGIL_UTILITIES_SORT_SORT_SCAN_H

#include "common/diag.h"

#define SCAN_WORD 24 /* length of the longest word, with its NUL */

__extension__ typedef __int128 sort_number;

struct scan_location {
	unsigned line, column;
};

struct sort_statement {
	char operation[SCAN_WORD]; /* in upper case */
	struct strbuf text;	   /* the operands */
	struct scan_location *places; /* location of each byte of text, and of its end */
	size_t place_alloc;
	const struct source *source; /* borrowed */
	struct location location;    /* of the operation */
	struct sort_statement *next;
};

/* Splits a source into statements. cards: only columns 1 to 71 are read, else whole lines. */
struct sort_statement *sort_statements(const struct source *source, bool cards,
				       struct diag_list *diags);
/* Returns the lines of SYMNAMES, each as the operands of a statement without an operation. */
struct sort_statement *sort_symbol_lines(const struct source *source);
/* Appends a byte and its location in the source to a statement's operands. */
void sort_statement_add(struct sort_statement *statement, char c, struct scan_location place);
void sort_statements_free(struct sort_statement *list);

struct sort_fields; /* field.h */

struct scan {
	const struct sort_statement *statement;
	struct diag_list *diags;
	const char *at; /* the next character; NUL at the end */
	bool failed;
	struct sort_fields
		*zoned; /* field_check adds fields with a sign in a digit; NULL: not wanted */
};

void scan_init(struct scan *scan, const struct sort_statement *statement, struct diag_list *diags);
/* Diagnoses "expected ..." at the current position. Returns -1. */
int scan_expected(struct scan *scan, const char *what);
/* Diagnoses an error at an earlier position of the text. Returns -1. */
int scan_error_at(struct scan *scan, const char *at, unsigned number, const char *format, ...)
	PRINTFLIKE(4, 5);
/* Diagnoses something that is understood but not supported. Returns -1. */
int scan_unsupported(struct scan *scan, const char *at, const char *what);

bool scan_done(const struct scan *scan);
/* Skips c if it is next; returns whether it was. */
bool scan_accept(struct scan *scan, char c);
/* Skips c; if another character is next, diagnoses that. */
bool scan_require(struct scan *scan, char c);
/*
 * Copies the letters, digits, '$', '#', '@' and '_' that come next to word, in
 * upper case, without skipping them. Returns their count; 0 and "": none.
 */
size_t scan_peek(const struct scan *scan, char word[SCAN_WORD]);
/* Returns whether word comes next as a whole; does not skip it. */
bool scan_peek_is(const struct scan *scan, const char *word);
/*
 * Skips word if it is next as a whole, followed by c unless c is NUL; returns
 * whether it was. c is skipped too.
 */
bool scan_keyword(struct scan *scan, const char *word, char c);
/* Reads a number from low to high. 0 after a diagnostic. */
size_t scan_number(struct scan *scan, size_t low, size_t high, const char *what);
/* Reads a decimal constant with an optional sign. */
sort_number scan_decimal(struct scan *scan);
/* Returns whether a decimal constant comes next. */
bool scan_at_decimal(const struct scan *scan);
/* Returns whether C'...' or X'...' comes next. */
bool scan_at_bytes(const struct scan *scan);
/* Appends the bytes of C'...' with doubled apostrophes, or X'...'. */
void scan_bytes(struct scan *scan, struct strbuf *bytes);
/* Does the same, and also accepts '...' without C. */
void scan_text(struct scan *scan, struct strbuf *bytes);
/* Skips the value of a keyword, up to a comma or parenthesis on its own level. */
void scan_skip_value(struct scan *scan);

#endif
