/* SPDX-License-Identifier: Apache-2.0 */
/* Debug files from a debuginfod server, only when DEBUGINFOD_URLS names one. */
#ifndef VIGIL_PROGRAM_NAMES_DEBUGINFOD_H
#define VIGIL_PROGRAM_NAMES_DEBUGINFOD_H

#include "common/strbuf.h"

/* A descriptor of the debug file of a build id, or -1; why says what went wrong. */
int debuginfod_fetch(const unsigned char *build_id, size_t length, struct strbuf *why);

#endif
