/* SPDX-License-Identifier: Apache-2.0 */
/* The pseudo-sections of .SYSTEM that vigil itself knows: libraries, by the names of their files.
 */
#ifndef VIGIL_PROFILE_PSEUDO_SECTION_H
#define VIGIL_PROFILE_PSEUDO_SECTION_H

#include "common/strbuf.h"

/* Of what vigil puts into a step. */
#define PSEUDO_SECTION_OWN ".VIGIL"

/*
 * The pseudo-section of a file by the prefix of its name (".LIBC", ...), or
 * "" when it belongs to the program. function, when not NULL, becomes what
 * the pseudo-section is. sb is used for names that are not in the table.
 */
const char *pseudo_section_of(const char *path, const char **function, struct strbuf *sb);

#endif
