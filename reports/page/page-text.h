/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts in a page. Names come from outside and may hold any bytes: in a page
 * they are characters to read and nothing else. Bytes that are no UTF-8 are
 * U+FFFD; control characters, and those that turn the direction of a text,
 * are shown as signs that stand for them.
 */
#ifndef VIGIL_REPORTS_PAGE_PAGE_TEXT_H
#define VIGIL_REPORTS_PAGE_PAGE_TEXT_H

#include "common/strbuf.h"

/* Append text as content of an element, or between the quotes of an attribute. */
void page_text_html(struct strbuf *sb, const char *text);
/* Append text as a JSON string with its quotes; it can stand in a script element: it has no '<'. */
void page_text_json(struct strbuf *sb, const char *text);
/* The same for a line of a source: its tabs stay. */
void page_text_source(struct strbuf *sb, const char *text);
/* Append a whole number, fast: a page may have millions. */
void page_text_number(struct strbuf *sb, uint64_t number);

#endif
