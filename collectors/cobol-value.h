/* SPDX-License-Identifier: Apache-2.0 */
/* Elementary items of COBOL: type and size from PICTURE and USAGE, and their bytes as text. */
#ifndef VIGIL_COLLECTORS_COBOL_VALUE_H
#define VIGIL_COLLECTORS_COBOL_VALUE_H

#include "common/compat.h"

enum cobol_usage {
	COBOL_DISPLAY,
	COBOL_BINARY, /* most significant byte first */
	COBOL_NATIVE, /* native byte order (COMP-5) */
	COBOL_PACKED, /* COMP-3 */
	COBOL_OTHER,  /* the size is known, but the value cannot be shown */
};

struct cobol_type {
	enum cobol_usage usage;
	bool numeric, is_signed, sign_leading, sign_separate;
	unsigned digits;
	int scale; /* digits after the decimal point */
	uint32_t size;
};

/*
 * Reads a PICTURE: kind of item, digits, scale, and its size in DISPLAY; returns
 * false if it is not supported.
 */
bool cobol_type_picture(struct cobol_type *type, const char *picture);
/*
 * Sets the size from the usage and the digits. one_byte: COMP with one or two
 * digits takes one byte (binary-size 1-2-4-8), not two.
 */
void cobol_type_size(struct cobol_type *type, bool one_byte);
/*
 * Formats the value as text: no trailing blanks, numbers without leading zeros; ""
 * if the item contains blanks, NULs or not a number of its type.
 */
void cobol_type_text(const struct cobol_type *type, const unsigned char *bytes, char *text,
		     size_t size);

#endif
