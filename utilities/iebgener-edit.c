/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes IEBGENER's output records. Zoned numbers are written with the signs of the
 * site's rule (signs.h) and read with the signs of either rule.
 */
#include "common/compat.h"
#include "utilities/iebgener-edit.h"
#include "datasets/signs.h"

bool iebgener_ends(const struct iebgener_group *group, const struct record *record)
{
	size_t length;

	if (!group->ident)
		return false;
	length = strlen(group->ident);
	return record->length >= length && group->ident_at <= record->length - length &&
	       memcmp(record->data + group->ident_at, group->ident, length) == 0;
}

/* Converts packed to zoned digits: 2 * length - 1 bytes. */
static int packed_to_zoned(const unsigned char *packed, size_t length, char *zoned)
{
	unsigned sign = packed[length - 1] & 15u;

	for (size_t i = 0; i < 2 * length - 1; i++) {
		unsigned digit = i % 2 ? packed[i / 2] & 15u : packed[i / 2] >> 4;

		RETURN_IF(digit > 9, -1);
		zoned[i] = (char)('0' + digit);
	}
	RETURN_IF(sign < 10, -1);
	if (sign == 0xb || sign == 0xd)
		zoned[2 * length - 2] =
			sign_byte(packed[length - 1] >> 4, true, false, signs_rule());
	return 0;
}

/* Returns the digit of a character, whose sign goes to *sign if it has one; -1: no digit. */
static int zoned_digit(char c, unsigned *sign)
{
	unsigned char byte = (unsigned char)c;

	if (sign_kind(byte) == SIGN_NONE)
		return -1;
	*sign = sign_kind(byte) == SIGN_PLAIN ? 0xf : sign_negative(byte) ? 0xd : 0xc;
	return (int)sign_digit(byte);
}

/* Converts zoned to packed digits: length / 2 + 1 bytes. */
static int zoned_to_packed(const char *zoned, size_t length, char *packed)
{
	size_t size = length / 2 + 1, nibble = 2 * size - 1;
	unsigned sign = 0xf;

	memset(packed, 0, size);
	for (size_t i = length; i-- > 0;) {
		unsigned own;
		int digit = zoned_digit(zoned[i], &own);

		RETURN_IF(digit < 0 || (i + 1 < length && own != 0xf), -1);
		if (i + 1 == length)
			sign = own;
		nibble--;
		packed[nibble / 2] = (char)(packed[nibble / 2] | (nibble % 2 ? digit : digit << 4));
	}
	packed[size - 1] = (char)((unsigned char)packed[size - 1] | sign);
	return 0;
}

static size_t output_length(const struct iebgener_field *field)
{
	switch (field->conversion) {
	case CONVERT_PZ:
		return 2 * field->length - 1;
	case CONVERT_ZP:
		return field->length / 2 + 1;
	default:
		return field->length;
	}
}

/* Stores length bytes of a field at its position; the rest of the field is filled with blanks. */
static int put_field(const struct iebgener_field *field, const char *data, size_t length,
		     char *place)
{
	if (field->conversion == CONVERT_NONE) {
		memcpy(place, data, length);
		return 0;
	}
	RETURN_IF(length < field->length, -1);
	if (field->conversion == CONVERT_PZ)
		return packed_to_zoned((const unsigned char *)data, length, place);
	return zoned_to_packed(data, length, place);
}

/* Counts the sign, in the last byte, of a zoned number that is converted. */
static void count_sign(const struct iebgener_field *field, const struct record *record,
		       uint64_t number, struct sign_counts *signs)
{
	size_t at = field->input + field->length - 1;

	if (field->conversion == CONVERT_ZP && !field->literal)
		sign_counts_add(signs, sign_kind((unsigned char)record->data[at]), number, at + 1);
}

int iebgener_edit(const struct iebgener_group *group, const struct record *record, uint64_t number,
		  struct strbuf *text, struct sign_counts *signs, struct error *err)
{
	strbuf_reset(text);
	for (size_t i = 0; i < group->field_count; i++) {
		const struct iebgener_field *field = &group->fields[i];
		size_t size = output_length(field), end = field->output + size;
		const char *data = field->literal;
		size_t length = data ? strlen(data) : 0;

		if (!data && field->input < record->length) {
			data = record->data + field->input;
			length = record->length - field->input;
		}
		if (length > field->length)
			length = field->length;
		if (text->length < end)
			strbuf_addchars(text, ' ', end - text->length);
		memset(text->text + field->output, ' ', size);
		if (put_field(field, data ? data : "", length, text->text + field->output) < 0)
			return error_set(err, "the %zu bytes at %zu are not a %s number",
					 field->length, field->input + 1,
					 field->conversion == CONVERT_PZ ? "packed" : "zoned");
		count_sign(field, record, number, signs);
	}
	return 0;
}
