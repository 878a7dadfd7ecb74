/* SPDX-License-Identifier: Apache-2.0 */
/* Debug files from a debuginfod server, only if DEBUGINFOD_URLS names one. */
#ifndef VIGIL_PROGRAM_NAMES_DEBUGINFOD_H
#define VIGIL_PROGRAM_NAMES_DEBUGINFOD_H

#include "common/strbuf.h"

/* Returns a descriptor of the debug file for a build id, or -1 with the reason in why. */
int debuginfod_fetch(const unsigned char *build_id, size_t length, struct strbuf *why);

#endif
