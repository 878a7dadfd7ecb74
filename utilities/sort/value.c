/* SPDX-License-Identifier: Apache-2.0 */
/* Parses and evaluates arithmetic expressions. */
#include "common/compat.h"
#include "utilities/sort/value.h"
#include "common/xalloc.h"

#define DEEPEST 32

enum operation { VALUE_FIELD, VALUE_NUMBER, ADD, SUB, MUL, DIV, MOD, MIN, MAX };

struct value {
	enum operation operation;
	struct sort_field field;
	sort_number number;
	struct value *left, *right;
};

static const struct {
	const char *name;
	enum operation operation;
	unsigned level; /* precedence; 2 binds tightest */
} operators[] = {
	{ "ADD", ADD, 0 }, { "SUB", SUB, 0 }, { "MUL", MUL, 1 }, { "DIV", DIV, 1 },
	{ "MOD", MOD, 1 }, { "MIN", MIN, 2 }, { "MAX", MAX, 2 },
};

static struct value *new_value(enum operation operation, struct value *left, struct value *right)
{
	struct value *value = xcalloc(1, sizeof(*value));

	value->operation = operation;
	value->left = left;
	value->right = right;
	return value;
}

void value_free(struct value *value)
{
	while (value) {
		struct value *left = value->left;

		value_free(value->right);
		free(value);
		value = left;
	}
}

/* Skips ",ADD," or another operator of this level if it is next; returns whether it was. */
static bool operator_scan(struct scan *scan, unsigned level, enum operation *operation)
{
	const char *at = scan->at;

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++) {
		if (operators[i].level == level && scan_accept(scan, ',') &&
		    scan_keyword(scan, operators[i].name, ',')) {
			*operation = operators[i].operation;
			return true;
		}
		scan->at = at;
	}
	return false;
}

static struct value *parse_level(struct scan *scan, const struct sort_field *field, unsigned level,
				 unsigned depth);

static struct value *parse_operand(struct scan *scan, const struct sort_field *field,
				   unsigned depth)
{
	struct value *value = new_value(VALUE_FIELD, NULL, NULL);
	const char *at = scan->at;

	if (field) {
		value->field = *field;
	} else if (*at == '+' || *at == '-') {
		value->operation = VALUE_NUMBER;
		value->number = scan_decimal(scan);
	} else if (*at == '(' && depth < DEEPEST) {
		scan->at++;
		value_free(value);
		value = parse_level(scan, NULL, 0, depth + 1);
		scan_require(scan, ')');
	} else {
		field_scan(scan, &value->field);
		scan_require(scan, ',');
		if (!field_format_scan(scan, &value->field.format) ||
		    !field_numeric(value->field.format))
			scan_expected(scan, "a numeric format");
		field_check(scan, at, &value->field, FIELD_VALUE);
	}
	return value;
}

static struct value *parse_level(struct scan *scan, const struct sort_field *field, unsigned level,
				 unsigned depth)
{
	struct value *left = level < 2 ? parse_level(scan, field, level + 1, depth)
				       : parse_operand(scan, field, depth);
	enum operation operation;

	while (!scan->failed && operator_scan(scan, level, &operation))
		left = new_value(operation, left,
				 level < 2 ? parse_level(scan, NULL, level + 1, depth)
					   : parse_operand(scan, NULL, depth));
	return left;
}

struct value *value_parse(struct scan *scan, const struct sort_field *field)
{
	struct value *value = parse_level(scan, field, 0, 0);

	if (scan->failed) {
		value_free(value);
		value = NULL;
	}
	return value;
}

static bool calculate(enum operation operation, sort_number a, sort_number b, sort_number *result)
{
	switch (operation) {
	case ADD:
		return !__builtin_add_overflow(a, b, result);
	case SUB:
		return !__builtin_sub_overflow(a, b, result);
	case MUL:
		return !__builtin_mul_overflow(a, b, result);
	case DIV:
	case MOD:
		if (b == 0)
			return false;
		*result = operation == DIV ? a / b : a % b;
		return true;
	case MIN:
		*result = a < b ? a : b;
		return true;
	default:
		*result = a > b ? a : b;
		return true;
	}
}

bool value_evaluate(const struct value *value, const struct sort_record *record,
		    sort_number *result)
{
	sort_number left, right;

	if (value->operation == VALUE_FIELD) {
		*result = field_value(&value->field, record);
		return true;
	}
	if (value->operation == VALUE_NUMBER) {
		*result = value->number;
		return true;
	}
	return value_evaluate(value->left, record, &left) &&
	       value_evaluate(value->right, record, &right) &&
	       calculate(value->operation, left, right, result);
}

enum sign_kind value_sign(const struct value *value, const struct sort_record *record)
{
	enum sign_kind sign = SIGN_NONE;

	if (value->operation == VALUE_FIELD)
		return field_sign(&value->field, record);
	if (value->operation != VALUE_NUMBER)
		sign = value_sign(value->left, record);
	if (value->operation != VALUE_NUMBER && sign == SIGN_NONE)
		sign = value_sign(value->right, record);
	return sign;
}

/* Returns the maximum number of digits of any field. */
static unsigned widest(const struct value *value)
{
	unsigned left, right;

	if (value->operation == VALUE_FIELD)
		return field_digits(&value->field);
	if (value->operation == VALUE_NUMBER)
		return 1;
	left = widest(value->left);
	right = widest(value->right);
	return left > right ? left : right;
}

unsigned value_digits(const struct value *value)
{
	unsigned digits = widest(value);

	if (value->operation == VALUE_FIELD)
		return digits;
	return digits <= 15 ? 15 : 31;
}
