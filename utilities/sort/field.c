/* SPDX-License-Identifier: Apache-2.0 */
/* Reads fields of records as bytes, numbers and keys. */
#include "common/compat.h"
#include "utilities/sort/field.h"
#include "common/xalloc.h"

#include <ctype.h>

#define MAX_DIGITS 37 /* fit a sort_number */

struct format_name {
	const char *name;
	enum field_format format; /* NONE: recognized, not supported */
};

static const struct format_name format_names[] = {
	{ "CH", FORMAT_CH },	{ "AC", FORMAT_CH },	{ "AQ", FORMAT_AQ },
	{ "BI", FORMAT_BI },	{ "FI", FORMAT_FI },	{ "ZD", FORMAT_ZD },
	{ "PD", FORMAT_PD },	{ "FS", FORMAT_FS },	{ "CSF", FORMAT_FS },
	{ "LS", FORMAT_LS },	{ "CSL", FORMAT_LS },	{ "TS", FORMAT_TS },
	{ "CST", FORMAT_TS },	{ "OL", FORMAT_OL },	{ "CLO", FORMAT_OL },
	{ "OT", FORMAT_ZD },	{ "CTO", FORMAT_ZD },	{ "UFF", FORMAT_UFF },
	{ "SFF", FORMAT_SFF },	{ "SS", FORMAT_SS },	{ "ASL", FORMAT_LS },
	{ "AST", FORMAT_TS },	{ "FL", FORMAT_NONE },	{ "PD0", FORMAT_NONE },
	{ "D1", FORMAT_NONE },	{ "D2", FORMAT_NONE },	{ "DC1", FORMAT_NONE },
	{ "DC2", FORMAT_NONE }, { "DC3", FORMAT_NONE }, { "TC1", FORMAT_NONE },
	{ "TM1", FORMAT_NONE }, { "TM4", FORMAT_NONE }, { "DT1", FORMAT_NONE },
	{ "DT2", FORMAT_NONE }, { "DT3", FORMAT_NONE }, { "Y2B", FORMAT_NONE },
	{ "Y2C", FORMAT_NONE }, { "Y2D", FORMAT_NONE }, { "Y2P", FORMAT_NONE },
	{ "Y2S", FORMAT_NONE }, { "Y2T", FORMAT_NONE }, { "Y2U", FORMAT_NONE },
	{ "Y2V", FORMAT_NONE }, { "Y2W", FORMAT_NONE }, { "Y2X", FORMAT_NONE },
	{ "Y2Y", FORMAT_NONE }, { "Y2Z", FORMAT_NONE },
};

/* Maximum length of a field by format and use: key, test, value. */
static const size_t longest[][3] = {
	[FORMAT_CH] = { 4092, 32760, 32760 }, [FORMAT_AQ] = { 4092, 256, 0 },
	[FORMAT_BI] = { 4092, 256, 8 },	      [FORMAT_FI] = { 256, 8, 8 },
	[FORMAT_ZD] = { 32, 32, 31 },	      [FORMAT_PD] = { 16, 16, 16 },
	[FORMAT_FS] = { 32, 32, 32 },	      [FORMAT_LS] = { 32, 32, 32 },
	[FORMAT_TS] = { 32, 32, 32 },	      [FORMAT_OL] = { 32, 32, 31 },
	[FORMAT_UFF] = { 32, 32, 32 },	      [FORMAT_SFF] = { 32, 32, 32 },
	[FORMAT_SS] = { 0, 32760, 0 },
};

void field_scan(struct scan *scan, struct sort_field *field)
{
	field->position = scan_number(scan, 1, FIELD_HIGHEST, "a position") - 1;
	scan_require(scan, ',');
	field->length = scan_number(scan, 1, FIELD_HIGHEST, "a length");
}

bool field_format_scan(struct scan *scan, enum field_format *format)
{
	char word[SCAN_WORD];
	size_t length = scan_peek(scan, word);

	for (size_t i = 0; length > 0 && i < ARRAY_SIZE(format_names); i++) {
		if (strcmp(word, format_names[i].name) != 0)
			continue;
		*format = format_names[i].format;
		if (*format == FORMAT_NONE)
			scan_error_at(scan, scan->at, 5540, "the format %s is not supported", word);
		scan->at += length;
		return true;
	}
	return false;
}

void field_check(struct scan *scan, const char *at, const struct sort_field *field,
		 enum field_use use)
{
	size_t most = longest[field->format][use];
	struct sort_fields *zoned = scan->zoned;

	if (zoned && !scan->failed && field->length > 0 &&
	    (field->format == FORMAT_ZD || field->format == FORMAT_OL)) {
		GROW(zoned->items, zoned->count + 1, zoned->alloc);
		zoned->items[zoned->count++] = *field;
	}
	if (scan->failed || field->format == FORMAT_NONE || field->length <= most)
		return;
	if (most == 0)
		scan_error_at(scan, at, 5541,
			      "ICE007A SYNTAX ERROR: this format is not allowed here");
	else
		scan_error_at(
			scan, at, 5541,
			"ICE007A SYNTAX ERROR: a field of this format has at most %zu bytes here",
			most);
}

bool field_numeric(enum field_format format)
{
	return format >= FORMAT_BI && format <= FORMAT_SFF;
}

/* Returns the byte with which a short record is padded. */
static char filler(enum field_format format)
{
	switch (format) {
	case FORMAT_BI:
	case FORMAT_FI:
	case FORMAT_PD:
		return '\0';
	case FORMAT_ZD:
		return '0';
	default:
		return ' ';
	}
}

/* Copies a field's bytes, padded where the record is too short. */
static void copy_bytes(const struct sort_field *field, const struct sort_record *record, char *to)
{
	size_t there = record->length > field->position ? record->length - field->position : 0;

	if (there > field->length)
		there = field->length;
	if (there > 0)
		memcpy(to, record->data + field->position, there);
	memset(to + there, filler(field->format), field->length - there);
}

const char *field_bytes(const struct sort_field *field, const struct sort_record *record,
			struct strbuf *scratch)
{
	if (field->position + field->length <= record->length)
		return record->data + field->position;
	strbuf_reset(scratch);
	strbuf_addchars(scratch, ' ', field->length);
	copy_bytes(field, record, scratch->text);
	return scratch->text;
}

/* A number while its digits are read. */
struct decimal {
	sort_number value;
	unsigned digits;
	bool negative;
};

static void add_digit(struct decimal *number, unsigned digit)
{
	number->digits += number->digits > 0 || digit > 0;
	if (number->digits <= MAX_DIGITS)
		number->value = number->value * 10 + (int)digit;
}

/*
 * Adds a byte that holds sign and digit: one of signs.h, a separate sign, or a
 * byte of EBCDIC data that was not translated, with D or B in the zone of a
 * negative one.
 */
static void add_overpunched(struct decimal *number, unsigned char byte)
{
	if (sign_kind(byte) != SIGN_NONE) {
		number->negative |= sign_negative(byte);
		add_digit(number, sign_digit(byte));
	} else if (byte == '-') {
		number->negative = true;
	} else if (byte != '+') {
		number->negative |= (byte & 0xf0) == 0xd0 || (byte & 0xf0) == 0xb0;
		add_digit(number, (byte & 0x0fU) % 10U);
	}
}

#define SHORT_DIGITS 18 /* fit a 64-bit number */

/* Reads the plain digits at the beginning of a field, up to SHORT_DIGITS; returns their count. */
static size_t first_digits(struct decimal *number, const unsigned char *bytes, size_t length)
{
	uint64_t value = 0;
	size_t i = 0;

	for (; i < length && i < SHORT_DIGITS && (unsigned char)(bytes[i] - '0') <= 9; i++)
		value = value * 10 + (bytes[i] - (unsigned)'0');
	number->value = (sort_number)value;
	number->digits = value > 0 ? (unsigned)i : 0;
	return i;
}

static void zoned(struct decimal *number, const unsigned char *bytes, size_t length,
		  size_t signed_at)
{
	for (size_t i = first_digits(number, bytes, length); i < length; i++) {
		if (i == signed_at)
			add_overpunched(number, bytes[i]);
		else if (bytes[i] == '-')
			number->negative = true;
		else if (bytes[i] != ' ' && bytes[i] != '+')
			add_digit(number, (bytes[i] & 0x0fU) % 10U);
	}
}

static void packed(struct decimal *number, const unsigned char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned low = bytes[i] & 0x0f;

		add_digit(number, bytes[i] >> 4);
		if (i + 1 < length)
			add_digit(number, low);
		else
			number->negative = low == 0x0d || low == 0x0b;
	}
}

/* Reads digits from the right to left; the first other character is the sign. */
static void floating(struct decimal *number, const unsigned char *bytes, size_t length)
{
	size_t end = length, start;

	while (end > 0 && bytes[end - 1] == ' ')
		end--;
	for (start = end; start > 0 && isdigit(bytes[start - 1]); start--)
		;
	number->negative = start > 0 && bytes[start - 1] == '-';
	for (; start < end; start++)
		add_digit(number, (unsigned)bytes[start] - '0');
}

static void free_form(struct decimal *number, const unsigned char *bytes, size_t length, bool sign)
{
	for (size_t i = 0; i < length; i++) {
		number->negative |= sign && (bytes[i] == '-' || bytes[i] == ')');
		if (isdigit(bytes[i]))
			add_digit(number, (unsigned)bytes[i] - '0');
	}
}

static sort_number binary(const unsigned char *bytes, size_t length, bool with_sign)
{
	uint64_t value = with_sign && (bytes[0] & 0x80) ? UINT64_MAX : 0;

	for (size_t i = 0; i < length; i++)
		value = value << 8 | bytes[i];
	return with_sign ? (sort_number)(int64_t)value : (sort_number)value;
}

/* Returns the field's bytes; where the record is too short for the field, a padded copy. */
static const unsigned char *number_bytes(const struct sort_field *field,
					 const struct sort_record *record, char *buffer)
{
	if (field->position + field->length <= record->length)
		return (const unsigned char *)record->data + field->position;
	copy_bytes(field, record, buffer);
	return (const unsigned char *)buffer;
}

#define LONGEST_NUMBER 44

sort_number field_value(const struct sort_field *field, const struct sort_record *record)
{
	char buffer[LONGEST_NUMBER];
	const unsigned char *bytes = number_bytes(field, record, buffer);
	struct decimal number = { 0 };

	switch (field->format) {
	case FORMAT_BI:
	case FORMAT_FI:
		return binary(bytes, field->length, field->format == FORMAT_FI);
	case FORMAT_PD:
		packed(&number, bytes, field->length);
		break;
	case FORMAT_OL:
		zoned(&number, bytes, field->length, 0);
		break;
	case FORMAT_FS:
		floating(&number, bytes, field->length);
		break;
	case FORMAT_UFF:
	case FORMAT_SFF:
		free_form(&number, bytes, field->length, field->format == FORMAT_SFF);
		break;
	case FORMAT_LS:
	case FORMAT_TS:
		zoned(&number, bytes, field->length, SIZE_MAX);
		break;
	default:
		zoned(&number, bytes, field->length, field->length - 1);
		break;
	}
	return number.negative ? -number.value : number.value;
}

enum sign_kind field_sign(const struct sort_field *field, const struct sort_record *record)
{
	size_t at = field->position + (field->format == FORMAT_OL ? 0 : field->length - 1);
	enum sign_kind kind;

	if ((field->format != FORMAT_ZD && field->format != FORMAT_OL) || at >= record->length)
		return SIGN_NONE;
	kind = sign_kind((unsigned char)record->data[at]);
	return kind == SIGN_PLAIN ? SIGN_NONE : kind;
}

unsigned field_digits(const struct sort_field *field)
{
	static const unsigned char of_binary[] = { 0, 3, 5, 8, 10, 13, 15, 17, 20 };

	switch (field->format) {
	case FORMAT_BI:
	case FORMAT_FI:
		return field->length < 8 ? of_binary[field->length]
					 : 20 - (field->format == FORMAT_FI);
	case FORMAT_PD:
		return (unsigned)field->length * 2 - 1;
	case FORMAT_LS:
	case FORMAT_TS:
		return field->length > 1 ? (unsigned)field->length - 1 : 1;
	default:
		return field->length < 31 ? (unsigned)field->length : 31;
	}
}

bool field_valid(const struct sort_field *field, const struct sort_record *record)
{
	char buffer[LONGEST_NUMBER];
	const unsigned char *bytes = number_bytes(field, record, buffer);
	size_t i = 0;

	if (field->format == FORMAT_PD) {
		for (; i < field->length; i++)
			RETURN_IF(bytes[i] >> 4 > 9 ||
					  (i + 1 < field->length ? (bytes[i] & 0x0f) > 9
								 : (bytes[i] & 0x0f) < 10),
				  false);
		return true;
	}
	if (field->format == FORMAT_FS) {
		while (i + 1 < field->length && bytes[i] == ' ')
			i++;
		i += i + 1 < field->length && (bytes[i] == '-' || bytes[i] == '+');
	}
	for (; i + 1 < field->length; i++)
		RETURN_IF(!isdigit(bytes[i]) && (bytes[i] < 0xf0 || bytes[i] > 0xf9), false);
	return isdigit(bytes[i]) || (bytes[i] >= 0xc0 && (bytes[i] & 0x0f) < 10) ||
	       (field->format == FORMAT_ZD && sign_kind(bytes[i]) != SIGN_NONE);
}

/* Returns the bytes that any number of this many digits needs, with its sign. */
static size_t bytes_for(unsigned digits)
{
	return (digits * 3322 / 1000 + 2 + 7) / 8;
}

size_t field_key_length(const struct sort_field *field)
{
	if (!field_numeric(field->format) || field->format == FORMAT_BI ||
	    field->format == FORMAT_FI)
		return field->length;
	return bytes_for(field->format == FORMAT_PD ? field_digits(field)
						    : (unsigned)field->length);
}

/* Writes a number as big-endian bytes that compare as the numbers do. */
static void number_key(sort_number value, unsigned char *key, size_t length)
{
	for (size_t i = length; i-- > 0; value >>= 8)
		key[i] = (unsigned char)(value & 0xff);
	key[0] ^= 0x80;
}

void field_key(const struct sort_field *field, const struct sort_record *record,
	       const unsigned char *altseq, unsigned char *key)
{
	switch (field->format) {
	case FORMAT_CH:
	case FORMAT_AQ:
	case FORMAT_BI:
	case FORMAT_FI:
		copy_bytes(field, record, (char *)key);
		if (field->format == FORMAT_FI)
			key[0] ^= 0x80;
		for (size_t i = 0; field->format == FORMAT_AQ && i < field->length; i++)
			key[i] = altseq[key[i]];
		break;
	default:
		number_key(field_value(field, record), key, field_key_length(field));
		break;
	}
}

size_t field_number_digits(sort_number value, char *digits)
{
	char reversed[40];
	size_t count = 0;
	uint64_t rest; /* the magnitude as far as it fits 64 bits: much faster */

	for (; value > INT64_MAX || value < INT64_MIN; value /= 10) {
		int digit = (int)(value % 10);

		reversed[count++] = (char)('0' + (digit < 0 ? -digit : digit));
	}
	rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	do
		reversed[count++] = (char)('0' + rest % 10);
	while (rest /= 10);
	for (size_t i = 0; i < count; i++)
		digits[i] = reversed[count - 1 - i];
	return count;
}

/* Writes digits right-aligned into out, with leading zeros; false: there are too many. */
static bool put_digits(sort_number value, char *out, size_t length)
{
	char digits[40];
	size_t count = field_number_digits(value, digits);

	RETURN_IF(count > length, false);
	memset(out, '0', length - count);
	memcpy(out + length - count, digits, count);
	return true;
}

static bool put_packed(sort_number value, enum sign_style style, char *out, size_t length)
{
	char digits[40];
	size_t count = field_number_digits(value, digits), places = length * 2 - 1;

	RETURN_IF(count > places, false);
	for (size_t i = 0; i < length; i++) {
		size_t high = 2 * i, low = 2 * i + 1;
		unsigned left =
			high + count >= places ? (unsigned)digits[high + count - places] - '0' : 0;
		unsigned right = value < 0 ? 0xd : style == SIGN_F ? 0xf : 0xc;

		if (i + 1 < length)
			right = low + count >= places ? (unsigned)digits[low + count - places] - '0'
						      : 0;
		out[i] = (char)(left << 4 | right);
	}
	return true;
}

static bool put_binary(sort_number value, bool with_sign, char *out, size_t length)
{
	sort_number limit = (sort_number)1 << (length < 16 ? length * 8 - with_sign : 126);

	RETURN_IF(value >= limit || value < (with_sign ? -limit : 0), false);
	for (size_t i = length; i-- > 0; value >>= 8)
		out[i] = (char)(value & 0xff);
	return true;
}

static bool put_floating(sort_number value, char *out, size_t length)
{
	char digits[40];
	size_t count = field_number_digits(value, digits);

	RETURN_IF(count + (value < 0) > length, false);
	memset(out, ' ', length - count);
	if (value < 0)
		out[length - count - 1] = '-';
	memcpy(out + length - count, digits, count);
	return true;
}

static bool put_zoned(sort_number value, const struct number_form *form, char *out, size_t length)
{
	char *last = out + (form->format == FORMAT_OL ? 0 : length - 1);

	RETURN_IF(!put_digits(value, out, length), false);
	*last = sign_byte((unsigned)*last - '0', value < 0, form->style == SIGN_PREFERRED,
			  form->sign);
	return true;
}

bool field_put_number(sort_number value, const struct number_form *form, char *out, size_t length)
{
	char sign = value < 0 ? '-' : '+';

	switch (form->format) {
	case FORMAT_BI:
	case FORMAT_FI:
		return put_binary(value, form->format == FORMAT_FI, out, length);
	case FORMAT_PD:
		return put_packed(value, form->style, out, length);
	case FORMAT_FS:
		return put_floating(value, out, length);
	case FORMAT_LS:
		RETURN_IF(!put_digits(value, out + 1, length - 1), false);
		out[0] = sign;
		return true;
	case FORMAT_TS:
		RETURN_IF(!put_digits(value, out, length - 1), false);
		out[length - 1] = sign;
		return true;
	default:
		return put_zoned(value, form, out, length);
	}
}
