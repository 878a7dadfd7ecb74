/* SPDX-License-Identifier: Apache-2.0 */
/* Compares records by their keys, and tests them. */
#include "common/compat.h"
#include "session/utilities/sort-compare.h"

#include <ctype.h>

/* A decimal number: its digits without leading zeros, most significant first. */
struct decimal {
	bool negative;
	size_t count;
	unsigned char digits[64];
};

static unsigned char byte_at(const struct sort_record *record, size_t position, char fill)
{
	return (unsigned char)(position < record->length ? record->data[position] : fill);
}

static void add_digit(struct decimal *number, unsigned digit)
{
	if (number->count == 0 && digit == 0)
		return;
	if (number->count < sizeof(number->digits))
		number->digits[number->count++] = (unsigned char)digit;
}

/*
 * The sign and digit of the last byte of a zoned field. GnuCOBOL on an ASCII
 * machine marks negative digits by p to y; EBCDIC data carries D in the zone,
 * and '}' and J to R are what that becomes in ASCII, '{' and A to I positive.
 */
static void zoned_last(struct decimal *number, unsigned char byte)
{
	if (byte >= 'p' && byte <= 'y') {
		number->negative = true;
		add_digit(number, (unsigned)byte - 'p');
	} else if (byte >= 'J' && byte <= 'R') {
		number->negative = true;
		add_digit(number, (unsigned)byte - 'J' + 1);
	} else if (byte >= 'A' && byte <= 'I') {
		add_digit(number, (unsigned)byte - 'A' + 1);
	} else if (byte == '}') {
		number->negative = true;
		add_digit(number, 0);
	} else if (byte == '-') {
		number->negative = true;
	} else if (byte != '+') {
		number->negative |= (byte & 0xf0) == 0xd0;
		add_digit(number, (byte & 0x0fU) % 10U);
	}
}

static void zoned(struct decimal *number, const struct sort_record *record,
		  const struct sort_key *key)
{
	for (size_t i = 0; i < key->length; i++) {
		unsigned char byte = byte_at(record, key->position + i, '0');

		if (i + 1 == key->length)
			zoned_last(number, byte);
		else if (byte == '-')
			number->negative = true;
		else if (byte != ' ' && byte != '+')
			add_digit(number, (byte & 0x0fU) % 10U);
	}
}

static void packed(struct decimal *number, const struct sort_record *record,
		   const struct sort_key *key)
{
	for (size_t i = 0; i < key->length; i++) {
		unsigned char byte = byte_at(record, key->position + i, 0);
		unsigned low = byte & 0x0f;

		add_digit(number, byte >> 4);
		if (i + 1 == key->length)
			number->negative = low == 0x0d || low == 0x0b;
		else
			add_digit(number, low);
	}
}

static int compare_decimals(const struct decimal *a, const struct decimal *b)
{
	bool a_negative = a->negative && a->count > 0, b_negative = b->negative && b->count > 0;
	int order = 0;

	if (a_negative != b_negative)
		return a_negative ? -1 : 1;
	if (a->count != b->count)
		order = a->count < b->count ? -1 : 1;
	else
		order = memcmp(a->digits, b->digits, a->count);
	return a_negative ? -order : order;
}

static void decimal(struct decimal *number, const struct sort_record *record,
		    const struct sort_key *key)
{
	*number = (struct decimal){ 0 };
	if (key->format == FORMAT_PD)
		packed(number, record, key);
	else
		zoned(number, record, key);
}

/* Bytes in order; signed binary with its sign bit turned, so that negative comes first. */
static int compare_bytes(const struct sort_record *a, const struct sort_key *a_key,
			 const struct sort_record *b, const struct sort_key *b_key)
{
	char fill = a_key->format == FORMAT_CH ? ' ' : '\0';
	size_t length = a_key->length > b_key->length ? a_key->length : b_key->length;

	for (size_t i = 0; i < length; i++) {
		unsigned char x = i < a_key->length ? byte_at(a, a_key->position + i, fill)
						    : (unsigned char)fill;
		unsigned char y = i < b_key->length ? byte_at(b, b_key->position + i, fill)
						    : (unsigned char)fill;

		if (i == 0 && a_key->format == FORMAT_FI) {
			x ^= 0x80;
			y ^= 0x80;
		}
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static int compare_fields(const struct sort_record *a, const struct sort_key *a_key,
			  const struct sort_record *b, const struct sort_key *b_key)
{
	struct decimal x, y;

	if (a_key->format != FORMAT_ZD && a_key->format != FORMAT_PD)
		return compare_bytes(a, a_key, b, b_key);
	decimal(&x, a, a_key);
	decimal(&y, b, b_key);
	return compare_decimals(&x, &y);
}

int sort_compare(const struct sort_request *request, const struct sort_record *a,
		 const struct sort_record *b)
{
	for (size_t i = 0; i < request->key_count; i++) {
		const struct sort_key *key = &request->keys[i];
		int order = compare_fields(a, key, b, key);

		if (order)
			return key->descending ? -order : order;
	}
	return 0;
}

/* The value of a binary field up to eight bytes, as decimal. */
static void binary(struct decimal *number, const struct sort_record *record,
		   const struct sort_key *key)
{
	uint64_t value = 0;
	char digits[24];

	*number = (struct decimal){ 0 };
	for (size_t i = 0; i < key->length; i++)
		value = value << 8 | byte_at(record, key->position + i, 0);
	if (key->format == FORMAT_FI && key->length <= 8 && value >> (key->length * 8 - 1) & 1) {
		number->negative = true;
		value = (~value + 1) &
			(key->length == 8 ? UINT64_MAX : (UINT64_C(1) << key->length * 8) - 1);
	}
	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	for (const char *at = digits; *at; at++)
		add_digit(number, (unsigned)(*at - '0'));
}

static int compare_number(const struct sort_record *record, const struct sort_test *test)
{
	struct decimal field, constant = { 0 };

	if (test->field.format == FORMAT_BI || test->field.format == FORMAT_FI)
		binary(&field, record, &test->field);
	else
		decimal(&field, record, &test->field);
	for (const char *at = test->constant; *at; at++) {
		constant.negative |= *at == '-';
		if (isdigit((unsigned char)*at))
			add_digit(&constant, (unsigned)(*at - '0'));
	}
	return compare_decimals(&field, &constant);
}

/* One test on one record. */
static bool holds(const struct sort_test *test, const struct sort_record *record)
{
	const struct sort_record constant = { test->constant, test->constant_length };
	const struct sort_key whole = { .length = test->constant_length,
					.format = test->field.format };
	int order;

	if (test->against_field)
		order = compare_fields(record, &test->field, record, &test->other);
	else if (test->number)
		order = compare_number(record, test);
	else
		order = compare_bytes(record, &test->field, &constant, &whole);
	switch (test->relation) {
	case TEST_EQ:
		return order == 0;
	case TEST_NE:
		return order != 0;
	case TEST_GT:
		return order > 0;
	case TEST_GE:
		return order >= 0;
	case TEST_LT:
		return order < 0;
	case TEST_LE:
		return order <= 0;
	}
	return false;
}

bool sort_wanted(const struct sort_request *request, const struct sort_record *record)
{
	bool all = true;

	if (request->test_count == 0)
		return true;
	for (size_t i = 0; i < request->test_count; i++) {
		all = all && holds(&request->tests[i], record);
		if (i + 1 == request->test_count || request->tests[i].or_follows) {
			if (all)
				return !request->omit;
			all = true;
		}
	}
	return request->omit;
}
