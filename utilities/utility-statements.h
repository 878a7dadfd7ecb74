/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control statements of the utilities that have lists of operands
 * (IEBGENER, IEBCOPY, IEHPROGM), as a DD such as SYSIN has them.
 */
#ifndef VIGIL_UTILITIES_UTILITY_STATEMENTS_H
#define VIGIL_UTILITIES_UTILITY_STATEMENTS_H

#include "utilities/utility.h"

/* A control statement: its lines joined, blanks between operands kept. */
struct utility_statement {
	char *text;
	unsigned line; /* of SYSIN, where it begins */
	struct utility_statement *next;
};

/*
 * Reads the control statements of a DD: columns 1 to 71, a '*' in column 1 makes a
 * comment, a statement whose operands end with a comma goes on with the next line.
 * NULL with no message when there are none.
 */
struct utility_statement *utility_statements(struct utility *utility, const char *ddname);
void utility_statements_free(struct utility_statement *list);

#endif
