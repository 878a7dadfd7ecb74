/* SPDX-License-Identifier: Apache-2.0 */
/* Parses PICTUREs, and formats the bytes of items as text. */
#include "common/compat.h"
#include "collectors/cobol-value.h"

#include <ctype.h>

/*
 * Returns the repetition of the character at *picture, including "(n)" after it;
 * 0: not a plausible number.
 */
static unsigned repeated(const char **picture)
{
	char *end;
	unsigned long count;

	(*picture)++;
	if (**picture != '(')
		return 1;
	count = strtoul(*picture + 1, &end, 10);
	if (end == *picture + 1 || *end != ')' || count > 1u << 24)
		return 0;
	*picture = end + 1;
	return (unsigned)count;
}

bool cobol_type_picture(struct cobol_type *type, const char *picture)
{
	bool point = false;

	type->numeric = true;
	while (*picture) {
		char sign = (char)toupper((unsigned char)*picture);
		unsigned count = repeated(&picture);

		if (!count || !strchr("9SVPXAZB0/,.+-*$CRDE", sign) || sign == 'P')
			return false;
		type->is_signed |= sign == 'S';
		point |= sign == 'V';
		if (sign == 'S' || sign == 'V')
			continue;
		type->size += count;
		if (sign != '9')
			type->numeric = false;
		type->digits += count;
		type->scale += point ? (int)count : 0;
	}
	return type->size > 0;
}

void cobol_type_size(struct cobol_type *type, bool one_byte)
{
	switch (type->usage) {
	case COBOL_BINARY:
	case COBOL_NATIVE:
		if (type->digits)
			type->size = type->digits <= 2 && one_byte ? 1
				     : type->digits <= 4	   ? 2
				     : type->digits <= 9	   ? 4
				     : type->digits <= 18	   ? 8
								   : 16;
		break;
	case COBOL_PACKED:
		type->size = type->digits / 2 + 1;
		break;
	case COBOL_DISPLAY:
		type->size += type->numeric && type->sign_separate;
		break;
	case COBOL_OTHER:
		break;
	}
}

/* Copies bytes that are text; a byte that is not printable ASCII becomes '?'. */
static void plain_text(const unsigned char *bytes, uint32_t length, char *text, size_t size)
{
	size_t at = 0;

	while (length > 0 && (bytes[length - 1] == ' ' || bytes[length - 1] == '\0'))
		length--;
	for (; at < length && at + 1 < size; at++)
		text[at] = (char)(bytes[at] < ' ' || bytes[at] >= 0x7f ? '?' : bytes[at]);
	text[at] = '\0';
}

/* Reads the digits of a zoned number and its sign; returns false if it is not one. */
static bool zoned_digits(const struct cobol_type *type, const unsigned char *bytes, char *digits,
			 bool *negative)
{
	uint32_t at = 0, end = type->size;

	if (type->sign_separate) {
		*negative = bytes[type->sign_leading ? 0 : end - 1] == '-';
		at += type->sign_leading;
		end -= !type->sign_leading;
	}
	for (uint32_t i = at; i < end; i++) {
		unsigned char c = bytes[i];

		/* A sign within a digit: 'p' is -0, 'y' is -9. */
		if (type->is_signed && i == (type->sign_leading ? at : end - 1) && c >= 'p' &&
		    c <= 'y') {
			*negative = true;
			c = (unsigned char)(c - 'p' + '0');
		}
		if (!isdigit(c))
			return false;
		*digits++ = (char)c;
	}
	*digits = '\0';
	return true;
}

static bool packed_digits(const struct cobol_type *type, const unsigned char *bytes, char *digits,
			  bool *negative)
{
	unsigned sign = bytes[type->size - 1] & 15u;

	for (uint32_t i = 0; i < type->size * 2 - 1; i++) {
		unsigned digit = i % 2 ? bytes[i / 2] & 15u : bytes[i / 2] >> 4;

		if (digit > 9)
			return false;
		*digits++ = (char)('0' + digit);
	}
	*digits = '\0';
	*negative = sign == 0xd;
	return sign >= 0xa;
}

static bool binary_digits(const struct cobol_type *type, const unsigned char *bytes, char *digits,
			  bool *negative)
{
	uint64_t value = 0;

	if (type->size > 8)
		return false;
	for (uint32_t i = 0; i < type->size; i++)
		value = value << 8 | bytes[type->usage == COBOL_BINARY ? i : type->size - 1 - i];
	*negative = type->is_signed && type->size && value >> (type->size * 8 - 1) & 1;
	if (*negative)
		value = -(value | (type->size < 8 ? UINT64_MAX << (type->size * 8) : 0));
	snprintf(digits, 32, "%0*llu", type->scale + 1, (unsigned long long)value);
	return true;
}

/*
 * Formats a number from its digits: no leading zeros, a decimal point before the
 * last scale digits.
 */
static void number_text(const char *digits, int scale, bool negative, char *text, size_t size)
{
	int whole = (int)strlen(digits) - scale;

	while (whole > 1 && *digits == '0') {
		digits++;
		whole--;
	}
	snprintf(text, size, "%s%.*s%s%s", negative ? "-" : "", whole, digits, scale ? "." : "",
		 digits + whole);
}

void cobol_type_text(const struct cobol_type *type, const unsigned char *bytes, char *text,
		     size_t size)
{
	char digits[64];
	bool negative = false, number;

	text[0] = '\0';
	if (!type->numeric) {
		plain_text(bytes, type->size, text, size);
		return;
	}
	if (type->digits > 40 || type->usage == COBOL_OTHER)
		return;
	if (type->usage == COBOL_DISPLAY)
		number = zoned_digits(type, bytes, digits, &negative);
	else if (type->usage == COBOL_PACKED)
		number = packed_digits(type, bytes, digits, &negative);
	else
		number = binary_digits(type, bytes, digits, &negative);
	if (number)
		number_text(digits, type->scale, negative, text, size);
}
