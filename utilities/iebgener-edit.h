/* SPDX-License-Identifier: Apache-2.0 */
/* Makes IEBGENER's output records from fields of input records. */
#ifndef VIGIL_UTILITIES_IEBGENER_EDIT_H
#define VIGIL_UTILITIES_IEBGENER_EDIT_H

#include "datasets/records.h"
#include "utilities/iebgener-request.h"
#include "utilities/sign-count.h"

/*
 * Returns whether the record ends a group: it has the text of IDENT at the
 * location of IDENT. A group without IDENT does not end.
 */
bool iebgener_ends(const struct iebgener_group *group, const struct record *record);
/*
 * Appends the edited record to text, with blanks between its fields. Where the
 * record is too short for a field, the field is filled with blanks. Counts the
 * signs of the zoned numbers converted (ZP); number is the record's number in the
 * input, from 1. -1 with the reason: a field to be converted holds no number.
 */
int iebgener_edit(const struct iebgener_group *group, const struct record *record, uint64_t number,
		  struct strbuf *text, struct sign_counts *signs, struct error *err);

#endif
