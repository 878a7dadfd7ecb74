/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions that DWARF has no linkage name for. A compiler omits it if no
 * other unit can see the function: GCC does for static functions of C++, those of
 * anonymous namespaces, lambdas, and templates of such types. All that is left is
 * "operator()" or "helper"; here it becomes what a demangler would have printed:
 * "main::{lambda(long)#2}::operator()(long) const".
 *
 * The information is untrusted: every iteration over it has a limit.
 */
#ifndef VIGIL_PROGRAM_NAMES_DIE_NAMES_H
#define VIGIL_PROGRAM_NAMES_DIE_NAMES_H

#include "common/strbuf.h"

#include <elfutils/libdw.h>

/* Returns a text attribute of a DIE or of its origin, "" if it has none. */
const char *die_names_text(Dwarf_Die *die, unsigned attribute);
/* Returns the linkage name of a function or of its origin; "" if it has none. */
const char *die_names_linkage(Dwarf_Die *die);
/* Finds the origin of a function's DIE: its declaration. */
void die_names_origin(const Dwarf_Die *die, Dwarf_Die *origin);
/*
 * Appends the readable name of a C++ function, with its namespaces, classes and
 * parameters. Functions of the language C in such a unit have their plain names.
 */
void die_names_add(const Dwarf_Die *function, struct strbuf *sb);

#endif
