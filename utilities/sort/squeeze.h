/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JFY=(...) moves the text of a field to its left or right; SQZ=(...) also removes
 * the blanks inside it:
 *
 *	SHIFT=LEFT|RIGHT [,LENGTH=n] [,LEAD=C'..'] [,TRAIL=C'..'] [,PREBLANK=C'..']
 *	SQZ also: [,MID=C'..']
 */
#ifndef VIGIL_UTILITIES_SORT_SQUEEZE_H
#define VIGIL_UTILITIES_SORT_SQUEEZE_H

#include "utilities/sort/sort-scan.h"

struct squeeze {
	bool all; /* SQZ: blanks inside are removed too */
	bool right;
	size_t length;		   /* of the result */
	struct strbuf lead, trail; /* put before and after the text */
	struct strbuf middle;	   /* put in place of blanks inside */
	struct strbuf blanks;	   /* characters that count as blanks */
};

/* Parses the operands in parentheses; length is the field's. The caller frees the result. */
struct squeeze *squeeze_parse(struct scan *scan, bool all, size_t length);
/* Appends the squeezed or justified bytes of a field. */
void squeeze_put(const struct squeeze *squeeze, const struct strbuf *bytes, struct strbuf *out);
void squeeze_free(struct squeeze *squeeze);

#endif
