/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and patterns: * stands for any characters, also none, ? for one. The one matcher outside the
 * agent, whose own (agent/event-filter-area.h) has to do without the C library.
 */
#ifndef VIGIL_COMMON_PATTERN_H
#define VIGIL_COMMON_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

enum {
	PATTERN_FOLDED = 1,  /* case does not count */
	PATTERN_PERCENT = 2, /* % is one character, too */
	PATTERN_PLAIN = 4,   /* ? is itself, as in names of a mainframe */
};

/* Whether a whole name fits a pattern; flags are or-ed from those above. The time is the product of their lengths at most. */
bool pattern_fits(const char *pattern, const char *name, unsigned flags);
/* The same of parts of texts, so many characters of each. */
bool pattern_fits_part(const char *pattern, size_t pattern_length, const char *name,
		       size_t name_length, unsigned flags);

#endif
