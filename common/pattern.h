/* SPDX-License-Identifier: Apache-2.0 */
/* Names and patterns: * stands for any characters, also none, ? for one. */
#ifndef VIGIL_COMMON_PATTERN_H
#define VIGIL_COMMON_PATTERN_H

#include <stdbool.h>

enum {
	PATTERN_FOLDED = 1,  /* case does not count */
	PATTERN_PERCENT = 2, /* % is one character, too */
};

/* Whether a whole name fits a pattern; flags are or-ed from those above. */
bool pattern_fits(const char *pattern, const char *name, unsigned flags);

#endif
