/* SPDX-License-Identifier: Apache-2.0 */
/*
 * COBOL source as words, literals and periods, in fixed or free reference
 * format. Comments, pseudo-text (==...==) and all other signs are left out.
 */
#ifndef VIGIL_COMMON_COBOL_SCAN_H
#define VIGIL_COMMON_COBOL_SCAN_H

#include "common/strbuf.h"

enum cobol_token_kind { COBOL_WORD, COBOL_LITERAL, COBOL_PERIOD };

struct cobol_token {
	enum cobol_token_kind kind;
	const char *text; /* of words and literals; until the next call */
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

/* Whether a source seems to be in fixed format (a sequence area, column 7 an indicator). */
bool cobol_scan_looks_fixed(char *const *lines, size_t line_count);
/* The lines are borrowed. */
void cobol_scan_init(struct cobol_scan *scan, char *const *lines, size_t line_count, bool fixed);
void cobol_scan_release(struct cobol_scan *scan);
/* The next token; false at the end of the file. */
bool cobol_scan_next(struct cobol_scan *scan, struct cobol_token *token);
/* The same where a PICTURE stands: all characters up to a blank or to the end of the sentence. */
bool cobol_scan_picture(struct cobol_scan *scan, struct cobol_token *token);

/* What reads a source token by token: where it is. */
struct cobol_reader {
	struct cobol_scan *scan; /* borrowed */
	struct cobol_token token;
	bool end; /* the file has ended; token is none */
};

/* Go on to the next token; false, now and from then on, at the end of the file. */
bool cobol_next(struct cobol_reader *reader);
/* Whether the token is a word, in upper or lower case. */
bool cobol_is_word(const struct cobol_reader *reader, const char *word);
/* Go on to the period that ends the sentence. */
void cobol_skip_sentence(struct cobol_reader *reader);

/* Append the name of a COBOL program from that of its C function (PAY__CALC_ -> PAY-CALC). */
void cobol_scan_program_name(const char *function, struct strbuf *sb);

#endif
