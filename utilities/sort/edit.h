/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a number is put into an output record:
 *
 *	M0 ... M26   EDIT=(pattern)   TO=format   SIGNS=(a,b,c,d)   LENGTH=n
 */
#ifndef VIGIL_UTILITIES_SORT_EDIT_H
#define VIGIL_UTILITIES_SORT_EDIT_H

#include "utilities/sort/field.h"

struct edit {
	int mask;	       /* 0 to 26; -1: pattern or to */
	struct strbuf pattern; /* of EDIT=, or made of the mask */
	char signs[4]; /* leading and trailing, each positive and negative; '\0' the mask's */
	struct number_form to; /* FORMAT_NONE: a pattern; its sign: the site's rule */
	size_t length;	       /* of the result; 0 until edit_finish unless LENGTH= said it */
};

void edit_init(struct edit *edit);
void edit_release(struct edit *edit);
/* Returns whether an option of editing comes next ("M10", "TO=PD"); it is passed. */
bool edit_scan(struct scan *scan, struct edit *edit);
/* All options are known: settle pattern and length for numbers of so many digits; M0 without an
 * option. */
void edit_finish(struct edit *edit, int mask, unsigned digits);
/*
 * Appends the number in length bytes; asterisks when it is not valid. sign: the
 * kind that a zoned result gets, SIGN_NONE that of the site.
 */
void edit_put(const struct edit *edit, sort_number value, bool valid, enum sign_kind sign,
	      struct strbuf *out);

#endif
