/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the addresses of one compilation unit mean: COBOL statements and
 * paragraphs where GnuCOBOL made it, otherwise lines, functions and the
 * calls inlined into them. Read when the first address is asked for.
 */
#ifndef VIGIL_PROGRAM_NAMES_UNIT_NAMES_H
#define VIGIL_PROGRAM_NAMES_UNIT_NAMES_H

#include "program/names/gnucobol.h"
#include "program/names/names-unit.h"

struct unit_names {
	struct unit unit;
	struct cobol_unit *cobol; /* NULL: not made by GnuCOBOL */
};

void unit_names_init(struct unit_names *names, const Dwarf_Die *die, const Dwarf_Die *head,
		     struct name_texts *texts);
void unit_names_release(struct unit_names *names);
/* Fill levels for an address of the unit; returns how many, 0 when it knows nothing. */
size_t unit_names_resolve(struct unit_names *names, uint64_t address,
			  struct name levels[NAMES_MAX_INLINE]);

#endif
