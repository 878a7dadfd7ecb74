/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts in columns: names come from outside and may contain anything. Widths are
 * columns of a listing: a wide (CJK) character counts two.
 */
#ifndef VIGIL_REPORTS_TEXT_H
#define VIGIL_REPORTS_TEXT_H

#include "common/strbuf.h"

/* Appends text for a listing: control and invalid characters become '.', a tab becomes a blank. */
void text_clean(struct strbuf *sb, const char *text);
/* Returns the columns that a cleaned text takes. */
size_t text_width(const char *text);
/* Append as many characters from the start (or from the end) of text as fit into width columns. */
void text_add_start(struct strbuf *sb, const char *text, size_t width);
void text_add_end(struct strbuf *sb, const char *text, size_t width);
/* Appends a cleaned text in exactly width columns: truncated with ".." or padded with blanks. */
void text_add_field(struct strbuf *sb, const char *text, size_t width, bool right);
/*
 * Returns the end of the part of text that fits into width columns, broken at a
 * blank if possible.
 */
size_t text_wrap(const char *text, size_t width);

/* Appends "1,234,567". */
void text_add_number(struct strbuf *sb, uint64_t number);
/* Appends "640", "12.3K", "4.5M": at most six characters. */
void text_add_bytes(struct strbuf *sb, uint64_t bytes);

#endif
