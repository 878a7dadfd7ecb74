/* SPDX-License-Identifier: Apache-2.0 */
/* Matches names against patterns. */
#include "common/compat.h"
#include "common/pattern.h"

#include <ctype.h>

/* Returns whether a character of a pattern, other than an asterisk, matches one of a name. */
static bool character_matches(char pattern, char character, unsigned flags)
{
	if (pattern == character || (pattern == '?' && !(flags & PATTERN_NO_QUESTION_MARK)))
		return true;
	if ((flags & PATTERN_PERCENT) && pattern == '%')
		return true;
	return (flags & PATTERN_IGNORE_CASE) &&
	       toupper((unsigned char)pattern) == toupper((unsigned char)character);
}

bool pattern_matches_part(const char *pattern, size_t pattern_length, const char *name,
		       size_t name_length, unsigned flags)
{
	const char *end = pattern + pattern_length, *name_end = name + name_length;
	const char *star = NULL, *retry = NULL;

	/* On a mismatch only the last asterisk takes one character more. */
	while (name < name_end) {
		if (pattern < end && *pattern == '*') {
			star = pattern++;
			retry = name;
		} else if (pattern < end && character_matches(*pattern, *name, flags)) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++retry;
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

bool pattern_matches(const char *pattern, const char *name, unsigned flags)
{
	return pattern_matches_part(pattern, strlen(pattern), name, strlen(name), flags);
}
