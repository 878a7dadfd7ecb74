/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the signs (signs.h) of an input's zoned fields, and warns of an input
 * that has both kinds, or the kind that programs of the site's rule misread.
 * SORT and IEBGENER warn alike, by the same message.
 */
#ifndef VIGIL_UTILITIES_SIGN_COUNT_H
#define VIGIL_UTILITIES_SIGN_COUNT_H

#include "datasets/signs.h"
#include "utilities/utility.h"

/* The signs of one kind. */
struct sign_count {
	uint64_t signs;
	uint64_t record; /* of the first one, from 1 */
	size_t column;	 /* of its byte, from 1 */
};

/* All zero: nothing was seen. */
struct sign_counts {
	struct sign_count ascii, ebcdic;
};

/* Counts a sign of a kind at a place; kinds other than SIGN_ASCII and SIGN_EBCDIC do not count. */
void sign_counts_add(struct sign_counts *counts, enum sign_kind kind, uint64_t record,
		     size_t column);
/*
 * Adds what was seen elsewhere in the same input; the first place is that of the
 * record that came first.
 */
void sign_counts_merge(struct sign_counts *total, const struct sign_counts *more);
/*
 * Warns (VIG5546W) where counts have signs of another kind than rule, and return
 * whether they have. name is the input (a DD), where is "" or goes behind "zoned
 * fields" (" after INREC"). The return code stays: the utility has read both
 * kinds.
 */
bool sign_counts_warn(const struct sign_counts *counts, struct utility *utility, const char *name,
		      const char *where, enum sign_kind rule);

#endif
