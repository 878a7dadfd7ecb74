/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elementary items of COBOL: what PICTURE and USAGE make of them, and their
 * bytes as text.
 */
#ifndef VIGIL_COLLECTORS_COBOL_VALUE_H
#define VIGIL_COLLECTORS_COBOL_VALUE_H

#include "common/compat.h"

enum cobol_usage {
	COBOL_DISPLAY,
	COBOL_BINARY, /* most significant byte first */
	COBOL_NATIVE, /* as the processor has it (COMP-5) */
	COBOL_PACKED, /* COMP-3 */
	COBOL_OTHER,  /* of a known size, and cannot be shown */
};

struct cobol_type {
	enum cobol_usage usage;
	bool numeric, is_signed, sign_leading, sign_separate;
	unsigned digits;
	int scale; /* digits behind the decimal point */
	uint32_t size;
};

/* Take a PICTURE: kind of item, digits, scale, and its size in DISPLAY; false when it cannot be
   counted. */
bool cobol_type_picture(struct cobol_type *type, const char *picture);
/* Set the size that the usage makes of the digits. one_byte: COMP of one or two digits has one
   byte (binary-size 1-2-4-8), not two. */
void cobol_type_size(struct cobol_type *type, bool one_byte);
/*
 * The value as text: without blanks at its end, numbers without leading
 * zeros; "" when the item holds blanks, NULs or no number of its type.
 */
void cobol_type_text(const struct cobol_type *type, const unsigned char *bytes, char *text,
		     size_t size);

#endif
