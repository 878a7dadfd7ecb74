/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matching of names against patterns: * matches any characters, also none, ?
 * matches one. This is the only matcher outside the agent, whose private one
 * (agent/event-filter-area.h) must do without the C library.
 */
#ifndef VIGIL_COMMON_PATTERN_H
#define VIGIL_COMMON_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

enum {
	PATTERN_IGNORE_CASE = 1,  /* ignore case */
	PATTERN_PERCENT = 2, /* % matches one character, too */
	PATTERN_NO_QUESTION_MARK = 4,   /* ? matches only itself, as in names of a mainframe */
};

/*
 * Returns whether a whole name matches a pattern; flags are or-ed from those
 * above. Takes at most time proportional to the product of their lengths.
 */
bool pattern_matches(const char *pattern, const char *name, unsigned flags);
/* As pattern_matches, for texts of given lengths. */
bool pattern_matches_part(const char *pattern, size_t pattern_length, const char *name,
		       size_t name_length, unsigned flags);

#endif
