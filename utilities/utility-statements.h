/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the control statements of the utilities that have lists of operands
 * (IEBGENER, IEBCOPY, IEHPROGM) from a DD such as SYSIN.
 */
#ifndef VIGIL_UTILITIES_UTILITY_STATEMENTS_H
#define VIGIL_UTILITIES_UTILITY_STATEMENTS_H

#include "utilities/utility.h"

/* A control statement: its lines joined, blanks between operands kept. */
struct utility_statement {
	char *text;
	unsigned line; /* line of SYSIN at which it begins */
	struct utility_statement *next;
};

/*
 * Reads the control statements of a DD: columns 1 to 71; '*' in column 1 begins a
 * comment; a statement whose operands end with a comma continues on the next line.
 * NULL without a message: there are none.
 */
struct utility_statement *utility_statements(struct utility *utility, const char *ddname);
void utility_statements_free(struct utility_statement *list);

#endif
