/* SPDX-License-Identifier: Apache-2.0 */
/* The pseudo-sections of .SYSTEM that vigil itself defines: libraries, by file name. */
#ifndef VIGIL_PROFILE_PSEUDO_SECTION_H
#define VIGIL_PROFILE_PSEUDO_SECTION_H

#include "common/strbuf.h"

/* Code that vigil puts into a step. */
#define PSEUDO_SECTION_VIGIL ".VIGIL"

/*
 * Returns the pseudo-section of a file by the prefix of its name (".LIBC", ...),
 * or "" if it belongs to the program. Sets *function, unless NULL, to the
 * pseudo-section's description. sb is used for names that are not in the table.
 */
const char *pseudo_section_of(const char *path, const char **function, struct strbuf *sb);

#endif
