/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JFY=(...) moves the text of a field to its left or right, SQZ=(...) takes
 * the blanks out of it as well:
 *
 *	SHIFT=LEFT|RIGHT [,LENGTH=n] [,LEAD=C'..'] [,TRAIL=C'..'] [,PREBLANK=C'..'] [,MID=C'..'
 *(SQZ)]
 */
#ifndef VIGIL_UTILITIES_SORT_SQUEEZE_H
#define VIGIL_UTILITIES_SORT_SQUEEZE_H

#include "utilities/sort/sort-scan.h"

struct squeeze {
	bool all; /* SQZ: also blanks inside */
	bool right;
	size_t length;		   /* of the result */
	struct strbuf lead, trail; /* put before and behind the text */
	struct strbuf middle;	   /* put where blanks inside were */
	struct strbuf blanks;	   /* characters that count as blanks */
};

/* Parses the operands in parentheses; length is the field's. The caller frees. */
struct squeeze *squeeze_parse(struct scan *scan, bool all, size_t length);
/* Appends what becomes of a field's bytes. */
void squeeze_put(const struct squeeze *squeeze, const struct strbuf *bytes, struct strbuf *out);
void squeeze_free(struct squeeze *squeeze);

#endif
