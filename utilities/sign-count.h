/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the signs (signs.h) of an input's zoned fields, and warns of an input
 * that has both kinds, or the kind that programs under the site's rule misread.
 * SORT and IEBGENER issue the same message.
 */
#ifndef VIGIL_UTILITIES_SIGN_COUNT_H
#define VIGIL_UTILITIES_SIGN_COUNT_H

#include "datasets/signs.h"
#include "utilities/utility.h"

/* The signs of one kind. */
struct sign_count {
	uint64_t signs;
	uint64_t record; /* of the first sign, from 1 */
	size_t column;	 /* of its byte in the record, from 1 */
};

/* All zero: no sign was seen. */
struct sign_counts {
	struct sign_count ascii, ebcdic;
};

/* Counts a sign of the given kind at a record and column; only SIGN_ASCII and SIGN_EBCDIC count. */
void sign_counts_add(struct sign_counts *counts, enum sign_kind kind, uint64_t record,
		     size_t column);
/*
 * Adds counts from another part of the same input; the first position is that of
 * the earlier record.
 */
void sign_counts_merge(struct sign_counts *total, const struct sign_counts *more);
/*
 * Warns (VIG5546W) if counts has signs of another kind than rule; returns whether
 * it has. name is the input (a DD); where is "" or follows "zoned fields" in the
 * message (" after INREC"). The return code does not change: the utility read both
 * kinds correctly.
 */
bool sign_counts_warn(const struct sign_counts *counts, struct utility *utility, const char *name,
		      const char *where, enum sign_kind rule);

#endif
