/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++ and Rust names as their programmers wrote them.
 *
 * A malicious name can expand without end; expansion stops at DEMANGLE_MAX bytes,
 * and the name is then shown as it is in the file.
 */
#ifndef VIGIL_PROGRAM_NAMES_DEMANGLE_H
#define VIGIL_PROGRAM_NAMES_DEMANGLE_H

#include "common/strbuf.h"

#define DEMANGLE_MAX 4096

/*
 * Appends the readable form of a mangled name; returns false, without appending,
 * if it is not one.
 */
bool demangle(const char *name, struct strbuf *sb);

#endif
