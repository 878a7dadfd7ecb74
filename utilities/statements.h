/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control statements of the utilities that have lists of operands
 * (IEBGENER, IEBCOPY, IEHPROGM), as a DD such as SYSIN has them.
 */
#ifndef VIGIL_UTILITIES_STATEMENTS_H
#define VIGIL_UTILITIES_STATEMENTS_H

#include "utilities/utility.h"

/* A control statement: its lines joined, blanks between operands kept. */
struct statement {
	char *text;
	unsigned line; /* of SYSIN, where it begins */
	struct statement *next;
};

/*
 * Read the control statements of a DD: columns 1 to 71, a '*' in column 1
 * makes a comment, a statement whose operands end with a comma goes on with
 * the next line. NULL with no message when there are none.
 */
struct statement *statements_read(struct utility *utility, const char *ddname);
void statements_free(struct statement *list);

#endif
