/* SPDX-License-Identifier: Apache-2.0 */
/* Matches a program with a data collector's list of programs. */
#include "common/compat.h"
#include "sampler/collect.h"
#include "common/pattern.h"

bool collect_match(const char *pattern, const char *name)
{
	return pattern_matches(pattern, name, PATTERN_IGNORE_CASE | PATTERN_PERCENT | PATTERN_NO_QUESTION_MARK);
}

bool collect_matches(const char *list, const char *program)
{
	for (; *list; list += strlen(list) + 1)
		if (collect_match(list, program))
			return true;
	return false;
}
