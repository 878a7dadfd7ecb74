/* SPDX-License-Identifier: Apache-2.0 */
/* Compares names with patterns. */
#include "common/compat.h"
#include "common/pattern.h"

#include <ctype.h>

/* Whether a character of a pattern, no asterisk, stands for one of a name. */
static bool stands_for(char pattern, char character, unsigned flags)
{
	if (pattern == '?' || pattern == character)
		return true;
	if ((flags & PATTERN_PERCENT) && pattern == '%')
		return true;
	return (flags & PATTERN_FOLDED) &&
	       toupper((unsigned char)pattern) == toupper((unsigned char)character);
}

bool pattern_fits(const char *pattern, const char *name, unsigned flags)
{
	const char *star = NULL, *retry = NULL;

	while (*name) {
		if (*pattern == '*') {
			star = pattern++;
			retry = name;
		} else if (*pattern && stands_for(*pattern, *name, flags)) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++retry;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}
