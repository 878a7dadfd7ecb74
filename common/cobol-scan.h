/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splits COBOL source, in fixed or free reference format, into words, literals and
 * periods. Comments, pseudo-text (==...==) and all other characters are skipped.
 */
#ifndef VIGIL_COMMON_COBOL_SCAN_H
#define VIGIL_COMMON_COBOL_SCAN_H

#include "common/strbuf.h"

enum cobol_token_kind { COBOL_WORD, COBOL_LITERAL, COBOL_PERIOD };

struct cobol_token {
	enum cobol_token_kind kind;
	const char *text; /* of words and literals; valid until the next call */
	size_t length;
	uint64_t line;
};

struct cobol_scan {
	char *const *lines; /* lines[0] is line 1 */
	size_t line_count;
	bool fixed;
	bool pseudo_text;
	uint64_t line;	    /* number of the line being read */
	struct strbuf text; /* the program text of that line, tabs expanded */
	size_t at;
	struct strbuf token;
};

/* Returns whether a source looks like fixed format (a sequence area, an indicator in column 7). */
bool cobol_scan_looks_fixed(char *const *lines, size_t line_count);
/* Initializes scan; the lines are borrowed. */
void cobol_scan_init(struct cobol_scan *scan, char *const *lines, size_t line_count, bool fixed);
void cobol_scan_release(struct cobol_scan *scan);
/* Reads the next token; returns false at the end of the file. */
bool cobol_scan_next(struct cobol_scan *scan, struct cobol_token *token);
/*
 * As cobol_scan_next, where a PICTURE is expected: reads all characters up to a
 * blank or the end of the sentence.
 */
bool cobol_scan_picture(struct cobol_scan *scan, struct cobol_token *token);

/* Position of a reader that takes a source token by token. */
struct cobol_reader {
	struct cobol_scan *scan; /* borrowed */
	struct cobol_token token;
	bool end; /* at the end of the file; token is not valid */
};

/* Advances to the next token; returns false at the end of the file, and ever after. */
bool cobol_next(struct cobol_reader *reader);
/* Returns whether the token is this word; case is ignored. */
bool cobol_is_word(const struct cobol_reader *reader, const char *word);
/* Advances to the period that ends the sentence. */
void cobol_skip_sentence(struct cobol_reader *reader);

/*
 * Appends the name of a COBOL program, derived from the name of its C function
 * (PAY__CALC_ -> PAY-CALC).
 */
void cobol_scan_program_name(const char *function, struct strbuf *sb);

#endif
