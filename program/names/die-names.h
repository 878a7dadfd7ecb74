/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions that DWARF has no linkage name for. A compiler leaves it out where no other
 * unit can see the function: GCC does for static functions of C++, those of anonymous namespaces,
 * lambdas, and templates of such types. What is left is "operator()" or "helper"; here it becomes
 * what a demangler would have said: "main::{lambda(long)#2}::operator()(long) const".
 *
 * The information may come from anybody: every walk through it has a bound.
 */
#ifndef VIGIL_PROGRAM_NAMES_DIE_NAMES_H
#define VIGIL_PROGRAM_NAMES_DIE_NAMES_H

#include "common/strbuf.h"

#include <elfutils/libdw.h>

/* A text attribute of a DIE or of what it stands for, "" when it has none. */
const char *die_names_text(Dwarf_Die *die, unsigned attribute);
/* The linkage name of a function, or of what it stands for; "" when it has none. */
const char *die_names_linkage(Dwarf_Die *die);
/* What a function's DIE stands for: where it was declared. */
void die_names_origin(const Dwarf_Die *die, Dwarf_Die *origin);
/*
 * Append the readable name of a function of C++, with its namespaces, classes and what it takes.
 * Functions of the language C in such a unit have their plain names.
 */
void die_names_add(const Dwarf_Die *function, struct strbuf *sb);

#endif
