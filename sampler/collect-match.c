/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a data collector's list of programs has a program. */
#include "common/compat.h"
#include "sampler/collect.h"

#include <ctype.h>

bool collect_match(const char *pattern, const char *name)
{
	const char *again = NULL, *from = NULL; /* behind the last '*', and what it covers so far */

	for (; *name; name++) {
		if (*pattern == '*') {
			again = ++pattern;
			from = name--;
		} else if (*pattern && (*pattern == '%' || toupper((unsigned char)*pattern) ==
								   toupper((unsigned char)*name))) {
			pattern++;
		} else if (again) {
			pattern = again;
			name = from++;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}

bool collect_matches(const char *list, const char *program)
{
	for (; *list; list += strlen(list) + 1)
		if (collect_match(list, program))
			return true;
	return false;
}
