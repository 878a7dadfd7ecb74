/* SPDX-License-Identifier: Apache-2.0 */
/* Compares names with patterns. */
#include "common/compat.h"
#include "common/pattern.h"

#include <ctype.h>

/* Whether a character of a pattern, no asterisk, stands for one of a name. */
static bool stands_for(char pattern, char character, unsigned flags)
{
	if (pattern == character || (pattern == '?' && !(flags & PATTERN_PLAIN)))
		return true;
	if ((flags & PATTERN_PERCENT) && pattern == '%')
		return true;
	return (flags & PATTERN_FOLDED) &&
	       toupper((unsigned char)pattern) == toupper((unsigned char)character);
}

bool pattern_fits_part(const char *pattern, size_t pattern_length, const char *name,
		       size_t name_length, unsigned flags)
{
	const char *end = pattern + pattern_length, *name_end = name + name_length;
	const char *star = NULL, *retry = NULL;

	/* Where it does not go on, only the last asterisk before takes a character more. */
	while (name < name_end) {
		if (pattern < end && *pattern == '*') {
			star = pattern++;
			retry = name;
		} else if (pattern < end && stands_for(*pattern, *name, flags)) {
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

bool pattern_fits(const char *pattern, const char *name, unsigned flags)
{
	return pattern_fits_part(pattern, strlen(pattern), name, strlen(name), flags);
}
