/* SPDX-License-Identifier: Apache-2.0 */
/* EBCDIC code page 037, as z/VM has it: each byte is one of the characters of Latin-1. */
#ifndef VIGIL_METRICS_MONITOR_EBCDIC_H
#define VIGIL_METRICS_MONITOR_EBCDIC_H

#include "common/strbuf.h"

#define EBCDIC_BLANK 0x40

/* The character of a byte, and the byte of a character; false: the code page has none. */
unsigned ebcdic_character(unsigned char byte);
bool ebcdic_byte(unsigned character, unsigned char *byte);
/*
 * Fills a field with a text of UTF-8, blanks behind it; false: it has not all of
 * it, or '?' for some.
 */
bool ebcdic_put(unsigned char *to, size_t size, const char *text);
/*
 * Appends a field as UTF-8 without the blanks and zeros at its end; control
 * characters as "\FF", the byte in the field.
 */
void ebcdic_get(struct strbuf *sb, const unsigned char *from, size_t size);

#endif
