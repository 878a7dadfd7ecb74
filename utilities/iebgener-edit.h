/* SPDX-License-Identifier: Apache-2.0 */
/* Makes IEBGENER's output records from fields of input records. */
#ifndef VIGIL_UTILITIES_IEBGENER_EDIT_H
#define VIGIL_UTILITIES_IEBGENER_EDIT_H

#include "datasets/records.h"
#include "utilities/iebgener-request.h"
#include "utilities/sign-count.h"

/*
 * Returns whether the record ends a group: has its text where IDENT says. A group
 * without IDENT has no end.
 */
bool iebgener_ends(const struct iebgener_group *group, const struct record *record);
/*
 * Puts the edited record into text, blanks between its fields. A field that the
 * record is too short for is filled with blanks. -1 with the reason: a number to
 * be converted is none. The signs of zoned numbers that are converted (ZP) are
 * counted; number is the record's place in the input, from 1.
 */
int iebgener_edit(const struct iebgener_group *group, const struct record *record, uint64_t number,
		  struct strbuf *text, struct sign_counts *signs, struct error *err);

#endif
