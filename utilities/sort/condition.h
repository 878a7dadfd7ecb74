/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conditions: INCLUDE, OMIT, OUTFIL INCLUDE= and OMIT=, IFTHEN WHEN=.
 *
 *	(field,relation,field|constant, AND|OR, (condition), ...)   ALL   NONE
 *
 * AND binds closer than OR. A comparison is one of numbers when the field is
 * numeric and the other side is a decimal constant or a numeric field, else
 * one of bytes; then the shorter side is filled up at its right.
 */
#ifndef VIGIL_UTILITIES_SORT_CONDITION_H
#define VIGIL_UTILITIES_SORT_CONDITION_H

#include "utilities/sort/field.h"

struct condition;

/*
 * Parses a condition in parentheses, or ALL or NONE; NULL after a message. format:
 * of fields that name none.
 */
struct condition *condition_parse(struct scan *scan, enum field_format format);
/* Returns whether a record satisfies the condition. altseq: 256 bytes for AQ fields. */
bool condition_holds(const struct condition *condition, const struct sort_record *record,
		     const unsigned char *altseq);
void condition_free(struct condition *condition);

#endif
