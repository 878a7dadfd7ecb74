/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of INREC and OUTREC: a numeric field, a constant with its sign, or
 * an expression of MIN MAX, MUL DIV MOD, ADD SUB in this order of precedence, with
 * parentheses.
 */
#ifndef VIGIL_UTILITIES_SORT_VALUE_H
#define VIGIL_UTILITIES_SORT_VALUE_H

#include "utilities/sort/field.h"

struct value;

/*
 * Goes on with an expression that begins with a field or, when field is NULL, with
 * what comes next. NULL after a message.
 */
struct value *value_parse(struct scan *scan, const struct sort_field *field);
/* false: it overflows or divides by zero. */
bool value_evaluate(const struct value *value, const struct sort_record *record,
		    sort_number *result);
/* The kind of sign of the first of its fields that has one in the record; SIGN_NONE: none has. */
enum sign_kind value_sign(const struct value *value, const struct sort_record *record);
/* Digits of the result: the field's own, 15 or 31 of an expression. */
unsigned value_digits(const struct value *value);
void value_free(struct value *value);

#endif
