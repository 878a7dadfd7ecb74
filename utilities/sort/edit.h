/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a number is formatted in an output record:
 *
 *	M0 ... M26   EDIT=(pattern)   TO=format   SIGNS=(a,b,c,d)   LENGTH=n
 */
#ifndef VIGIL_UTILITIES_SORT_EDIT_H
#define VIGIL_UTILITIES_SORT_EDIT_H

#include "utilities/sort/field.h"

struct edit {
	int mask;	       /* 0 to 26; -1: none, pattern or to is used */
	struct strbuf pattern; /* of EDIT=, or made from the mask */
	char signs[4]; /* leading positive, leading negative, trailing positive, trailing
		        * negative; '\0': the mask's */
	struct number_form to; /* FORMAT_NONE: pattern is used; the sign follows the site's rule */
	size_t length;	       /* of the result; 0 until edit_finish unless LENGTH= gives it */
};

void edit_init(struct edit *edit);
void edit_release(struct edit *edit);
/* Parses an editing option ("M10", "TO=PD") if it is next; returns whether it was. */
bool edit_scan(struct scan *scan, struct edit *edit);
/*
 * Completes pattern and length for numbers with this many digits, once all options
 * are read. Without an option the mask is mask.
 */
void edit_finish(struct edit *edit, int mask, unsigned digits);
/*
 * Appends the number in length bytes; asterisks when it is not valid. sign: the
 * sign of a zoned result; SIGN_NONE: the site's.
 */
void edit_put(const struct edit *edit, sort_number value, bool valid, enum sign_kind sign,
	      struct strbuf *out);

#endif
