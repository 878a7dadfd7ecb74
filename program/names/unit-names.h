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
/* Read the unit when it was not yet. */
void unit_names_need(struct unit_names *names);
/* Fill levels for an address of the unit; returns how many, 0 when it knows nothing. */
size_t unit_names_resolve(struct unit_names *names, uint64_t address,
			  struct name levels[NAMES_MAX_INLINE]);
/* An address behind this one up to which all means the same, in a unit that was read, not of GnuCOBOL. */
uint64_t unit_names_next(struct unit_names *names, uint64_t address);
/* Where the functions of such a unit are. */
const struct range_list *unit_names_functions(const struct unit_names *names);
/*
 * Give all stretches of some parts of the unit (which lie by address and do
 * not overlap) in order of address; what unit_names_resolve knows nothing of
 * is left out. False when take wanted no more. Needs memory for one number for
 * each row, function and inlined call of the unit.
 */
bool unit_names_stretches(struct unit_names *names, const struct code_range *parts, size_t count,
			  names_take_stretch *take, void *argument);

#endif
