/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++ and Rust names as their programmers wrote them.
 *
 * A name made to be hard can expand without end; expansion stops at
 * DEMANGLE_MAX bytes, and the name is then shown as it is in the file.
 */
#ifndef VIGIL_PROGRAM_NAMES_DEMANGLE_H
#define VIGIL_PROGRAM_NAMES_DEMANGLE_H

#include "common/strbuf.h"

#define DEMANGLE_MAX 4096

/* Append the readable form of a mangled name; false (nothing appended) when it is not one. */
bool demangle(const char *name, struct strbuf *sb);

#endif
