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
 * Parses the rest of an expression that begins with field or, if that is NULL, a
 * whole expression. NULL after a message.
 */
struct value *value_parse(struct scan *scan, const struct sort_field *field);
/* Evaluates an expression; false: it overflows or divides by zero. */
bool value_evaluate(const struct value *value, const struct sort_record *record,
		    sort_number *result);
/* Returns the kind of sign of the first field that has one in the record; SIGN_NONE: none has. */
enum sign_kind value_sign(const struct value *value, const struct sort_record *record);
/* Returns the digits of the result: the field's, or 15 or 31 for an expression. */
unsigned value_digits(const struct value *value);
void value_free(struct value *value);

#endif
