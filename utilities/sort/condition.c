/* SPDX-License-Identifier: Apache-2.0 */
/* Parses and evaluates conditions. */
#include "common/compat.h"
#include "utilities/sort/condition.h"
#include "common/xalloc.h"
#include "utilities/sort/date.h"

#define DEEPEST 64

enum relation { TEST_EQ, TEST_NE, TEST_GT, TEST_GE, TEST_LT, TEST_LE };

/* Compares a field with a field, a constant or digits. */
struct test {
	struct sort_field field, other;
	enum relation relation;
	enum { AGAINST_FIELD, AGAINST_BYTES, AGAINST_NUMBER, AGAINST_DIGITS } against;
	struct strbuf bytes;
	sort_number number;
};

struct condition {
	enum condition_kind {
		CONDITION_ALL,
		CONDITION_NONE,
		CONDITION_AND,
		CONDITION_OR,
		CONDITION_TEST,
	} kind;
	struct condition *left, *right;
	struct test test;
};

static struct condition *new_condition(enum condition_kind kind, struct condition *left,
				       struct condition *right)
{
	struct condition *condition = xcalloc(1, sizeof(*condition));

	condition->kind = kind;
	condition->left = left;
	condition->right = right;
	strbuf_init(&condition->test.bytes);
	return condition;
}

void condition_free(struct condition *condition)
{
	while (condition) {
		struct condition *left = condition->left;

		condition_free(condition->right);
		strbuf_release(&condition->test.bytes);
		free(condition);
		condition = left;
	}
}

static void parse_relation(struct scan *scan, enum relation *relation)
{
	static const char *const names[] = { "EQ", "NE", "GT", "GE", "LT", "LE" };
	char word[SCAN_WORD];
	size_t length = scan_peek(scan, word);

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (length > 0 && strcmp(word, names[i]) == 0) {
			*relation = (enum relation)i;
			scan->at += length;
			return;
		}
	scan_expected(scan, "EQ, NE, GT, GE, LT or LE");
}

/* Parses the other side of a test when it is no constant: another field. */
static void parse_other(struct scan *scan, struct test *test, enum field_format format)
{
	const char *at = scan->at;

	field_scan(scan, &test->other);
	test->other.format = format;
	if (scan->at[0] == ',') {
		scan->at++;
		if (!field_format_scan(scan, &test->other.format))
			scan->at--;
	}
	if (test->other.format == FORMAT_NONE)
		scan_expected(scan, "',' and a format");
	field_check(scan, at, &test->other, FIELD_TEST);
	if (test->other.format == FORMAT_SS)
		scan_error_at(scan, at, 5541,
			      "ICE007A SYNTAX ERROR: SS is compared with a constant");
}

/* Returns whether "position,length" comes next rather than a number. */
static bool at_field(const struct scan *scan)
{
	size_t digits = strspn(scan->at, "0123456789");

	return digits > 0 && scan->at[digits] == ',' && scan->at[digits + 1] >= '0' &&
	       scan->at[digits + 1] <= '9';
}

static void parse_against(struct scan *scan, struct test *test, enum field_format format)
{
	const char *at = scan->at;

	test->against = AGAINST_BYTES;
	if (scan_at_bytes(scan)) {
		scan_bytes(scan, &test->bytes);
		if (field_numeric(test->field.format) && test->field.format != FORMAT_BI)
			scan_error_at(
				scan, at, 5541,
				"ICE007A SYNTAX ERROR: a field of this format is compared with "
				"a number, not with characters");
	} else if (at_field(scan)) {
		test->against = AGAINST_FIELD;
		parse_other(scan, test, format);
	} else if (scan_at_decimal(scan)) {
		test->against = AGAINST_NUMBER;
		test->number = scan_decimal(scan);
		if (!field_numeric(test->field.format))
			scan_error_at(
				scan, at, 5541,
				"ICE007A SYNTAX ERROR: a field of characters is compared with "
				"C'text' or X'hexadecimal digits'");
	} else if (scan_keyword(scan, "NUM", '\0')) {
		test->against = AGAINST_DIGITS;
		if (test->relation > TEST_NE || test->field.format < FORMAT_ZD ||
		    test->field.format > FORMAT_FS)
			scan_error_at(scan, at, 5541,
				      "ICE007A SYNTAX ERROR: NUM needs a ZD, PD or FS field, and "
				      "EQ or NE");
	} else if (date_scan(scan, &test->bytes)) {
		if (field_numeric(test->field.format)) {
			const struct sort_record date = { test->bytes.text, test->bytes.length };
			const struct sort_field digits = { 0, date.length, FORMAT_UFF };

			test->against = AGAINST_NUMBER;
			test->number = field_value(&digits, &date);
		}
	} else if ((*at == 'B' || *at == 'b') && at[1] == '\'') {
		scan_unsupported(scan, at, "a test of bits, B'...',");
	} else {
		scan_expected(scan, "C'text', X'hexadecimal digits', a number or a field");
	}
}

/* Returns whether a test compares bytes rather than numbers. */
static bool as_bytes(const struct test *test)
{
	if (test->against == AGAINST_FIELD)
		return !field_numeric(test->field.format) || !field_numeric(test->other.format) ||
		       (test->field.format == FORMAT_BI && test->other.format == FORMAT_BI);
	return test->against == AGAINST_BYTES;
}

static bool long_binary(const struct sort_field *field)
{
	return field->format == FORMAT_BI && field->length > 8;
}

static struct condition *parse_test(struct scan *scan, enum field_format format)
{
	struct condition *condition = new_condition(CONDITION_TEST, NULL, NULL);
	struct test *test = &condition->test;
	const char *at = scan->at;

	field_scan(scan, &test->field);
	test->field.format = format;
	scan_require(scan, ',');
	if (field_format_scan(scan, &test->field.format))
		scan_require(scan, ',');
	else if (format == FORMAT_NONE)
		scan_expected(scan, "a format");
	field_check(scan, at, &test->field, FIELD_TEST);
	parse_relation(scan, &test->relation);
	scan_require(scan, ',');
	parse_against(scan, test, format);
	if (!scan->failed && !as_bytes(test) &&
	    (long_binary(&test->field) || long_binary(&test->other)))
		scan_error_at(scan, at, 5541,
			      "ICE007A SYNTAX ERROR: BI has at most 8 bytes where it is compared "
			      "as a number");
	if (!scan->failed && test->field.format == FORMAT_SS &&
	    (test->against != AGAINST_BYTES || test->relation > TEST_NE))
		scan_error_at(scan, at, 5541,
			      "ICE007A SYNTAX ERROR: SS needs EQ or NE and a constant");
	return condition;
}

static struct condition *parse_or(struct scan *scan, enum field_format format, unsigned depth);

static struct condition *parse_term(struct scan *scan, enum field_format format, unsigned depth)
{
	struct condition *condition;

	if (!scan_accept(scan, '('))
		return parse_test(scan, format);
	if (depth == DEEPEST) {
		scan_expected(scan, "fewer parentheses");
		return NULL;
	}
	condition = parse_or(scan, format, depth + 1);
	scan_require(scan, ')');
	return condition;
}

/* Skips ",AND," or ",&," or the like if it is next; returns whether it was. */
static bool joined_by(struct scan *scan, const char *word, char sign)
{
	const char *at = scan->at;

	if (scan_accept(scan, ',') && (scan_accept(scan, sign) || scan_keyword(scan, word, '\0')) &&
	    scan_accept(scan, ','))
		return true;
	scan->at = at;
	return false;
}

static struct condition *parse_and(struct scan *scan, enum field_format format, unsigned depth)
{
	struct condition *left = parse_term(scan, format, depth);

	while (!scan->failed && joined_by(scan, "AND", '&'))
		left = new_condition(CONDITION_AND, left, parse_term(scan, format, depth));
	return left;
}

static struct condition *parse_or(struct scan *scan, enum field_format format, unsigned depth)
{
	struct condition *left = parse_and(scan, format, depth);

	while (!scan->failed && joined_by(scan, "OR", '|'))
		left = new_condition(CONDITION_OR, left, parse_and(scan, format, depth));
	if (!scan->failed && *scan->at != ')')
		scan_expected(scan, "',AND,', ',OR,' or ')'");
	return left;
}

struct condition *condition_parse(struct scan *scan, enum field_format format)
{
	struct condition *condition;

	if (scan_keyword(scan, "ALL", '\0'))
		return new_condition(CONDITION_ALL, NULL, NULL);
	if (scan_keyword(scan, "NONE", '\0'))
		return new_condition(CONDITION_NONE, NULL, NULL);
	scan_require(scan, '(');
	if (scan_keyword(scan, "ALL", ')'))
		return new_condition(CONDITION_ALL, NULL, NULL);
	if (scan_keyword(scan, "NONE", ')'))
		return new_condition(CONDITION_NONE, NULL, NULL);
	if (scan->failed)
		return NULL;
	condition = parse_or(scan, format, 0);
	scan_require(scan, ')');
	if (scan->failed) {
		condition_free(condition);
		return NULL;
	}
	return condition;
}

/* Compares bytes; the shorter side is padded. */
static int compare_bytes(const char *a, size_t a_length, const char *b, size_t b_length, char fill,
			 const unsigned char *order)
{
	size_t length = a_length > b_length ? a_length : b_length;

	for (size_t i = 0; i < length; i++) {
		unsigned char x = (unsigned char)(i < a_length ? a[i] : fill);
		unsigned char y = (unsigned char)(i < b_length ? b[i] : fill);

		if (order) {
			x = order[x];
			y = order[y];
		}
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* Returns whether the shorter of two texts occurs in the longer. */
static bool occurs(const char *a, size_t a_length, const char *b, size_t b_length)
{
	return a_length >= b_length ? memmem(a, a_length, b, b_length) != NULL
				    : memmem(b, b_length, a, a_length) != NULL;
}

static int compare_as_bytes(const struct test *test, const struct sort_record *record,
			    const unsigned char *altseq)
{
	struct strbuf left_scratch = STRBUF_INIT, right_scratch = STRBUF_INIT;
	const char *left = field_bytes(&test->field, record, &left_scratch);
	const char *right = test->bytes.text;
	size_t length = test->bytes.length;
	int order;

	if (test->against == AGAINST_FIELD) {
		right = field_bytes(&test->other, record, &right_scratch);
		length = test->other.length;
	}
	if (test->field.format == FORMAT_SS)
		order = !occurs(left, test->field.length, right, length);
	else
		order = compare_bytes(left, test->field.length, right, length,
				      test->field.format == FORMAT_BI ? '\0' : ' ',
				      test->field.format == FORMAT_AQ ? altseq : NULL);
	strbuf_release(&left_scratch);
	strbuf_release(&right_scratch);
	return order;
}

static int compare(const struct test *test, const struct sort_record *record,
		   const unsigned char *altseq)
{
	sort_number left, right;

	if (as_bytes(test))
		return compare_as_bytes(test, record, altseq);
	if (test->against == AGAINST_DIGITS)
		return !field_valid(&test->field, record);
	left = field_value(&test->field, record);
	right = test->against == AGAINST_FIELD ? field_value(&test->other, record) : test->number;
	return left < right ? -1 : left > right;
}

static bool holds(const struct test *test, const struct sort_record *record,
		  const unsigned char *altseq)
{
	int order = compare(test, record, altseq);

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

bool condition_holds(const struct condition *condition, const struct sort_record *record,
		     const unsigned char *altseq)
{
	switch (condition->kind) {
	case CONDITION_ALL:
		return true;
	case CONDITION_NONE:
		return false;
	case CONDITION_AND:
		return condition_holds(condition->left, record, altseq) &&
		       condition_holds(condition->right, record, altseq);
	case CONDITION_OR:
		return condition_holds(condition->left, record, altseq) ||
		       condition_holds(condition->right, record, altseq);
	case CONDITION_TEST:
		return holds(&condition->test, record, altseq);
	}
	return false;
}
