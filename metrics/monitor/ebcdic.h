/* SPDX-License-Identifier: Apache-2.0 */
/* EBCDIC code page 037, as used by z/VM: each byte is one of the characters of Latin-1. */
#ifndef VIGIL_METRICS_MONITOR_EBCDIC_H
#define VIGIL_METRICS_MONITOR_EBCDIC_H

#include "common/strbuf.h"

#define EBCDIC_BLANK 0x40

/*
 * Convert a byte to a character, and a character to a byte; the latter returns
 * false for one that is not in the code page.
 */
unsigned ebcdic_character(unsigned char byte);
bool ebcdic_byte(unsigned character, unsigned char *byte);
/*
 * Fills a field with a UTF-8 text, padded with blanks. Returns false when it was
 * truncated or has '?' for some characters.
 */
bool ebcdic_put(unsigned char *to, size_t size, const char *text);
/*
 * Appends a field as UTF-8 without trailing blanks and zeros; control characters
 * as "\FF", the byte of the field.
 */
void ebcdic_get(struct strbuf *sb, const unsigned char *from, size_t size);

#endif
