/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts in a page. Names come from outside and may hold any bytes: in a page they
 * are only characters to read. Bytes that are not UTF-8 become U+FFFD; control
 * characters, and those that change the direction of text, are shown as visible
 * substitutes.
 */
#ifndef VIGIL_REPORTS_PAGE_PAGE_TEXT_H
#define VIGIL_REPORTS_PAGE_PAGE_TEXT_H

#include "common/strbuf.h"

/* Appends text as content of an element, or between the quotes of an attribute. */
void page_text_html(struct strbuf *sb, const char *text);
/*
 * Appends text as a JSON string with its quotes; it is safe in a script element,
 * as it has no '<'.
 */
void page_text_json(struct strbuf *sb, const char *text);
/* The same for a line of a source: its tabs are kept. */
void page_text_source(struct strbuf *sb, const char *text);
/* Appends a whole number, fast: a page may have millions. */
void page_text_number(struct strbuf *sb, uint64_t number);

#endif
