/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The meaning of the addresses of one compilation unit: COBOL statements and
 * paragraphs if GnuCOBOL compiled it, otherwise lines, functions and the calls
 * inlined into them. It is read when the first address is requested.
 */
#ifndef VIGIL_PROGRAM_NAMES_UNIT_NAMES_H
#define VIGIL_PROGRAM_NAMES_UNIT_NAMES_H

#include "program/names/gnucobol.h"
#include "program/names/names-unit.h"

struct unit_names {
	struct unit unit;
	struct cobol_unit *cobol; /* NULL: not compiled by GnuCOBOL */
};

void unit_names_init(struct unit_names *names, const Dwarf_Die *die, const Dwarf_Die *head,
		     struct name_texts *texts);
void unit_names_release(struct unit_names *names);
/* Reads the unit unless it was read already. */
void unit_names_need(struct unit_names *names);
/* Fills levels for an address of the unit; returns their number, 0 if nothing is known. */
size_t unit_names_resolve(struct unit_names *names, uint64_t address,
			  struct name levels[NAMES_MAX_INLINE]);
/*
 * Returns an address after this one up to which the result is the same, in a unit
 * that was read and is not of GnuCOBOL.
 */
uint64_t unit_names_next(struct unit_names *names, uint64_t address);
/* Returns the ranges of the functions of such a unit. */
const struct range_list *unit_names_functions(const struct unit_names *names);
/*
 * Passes to take all stretches of some parts of the unit (sorted by address,
 * without overlap) in order of address; ranges for which unit_names_resolve knows
 * nothing are skipped. Returns false if take wanted no more. Needs memory for one
 * number per row, function and inlined call of the unit.
 */
bool unit_names_stretches(struct unit_names *names, const struct code_range *parts, size_t count,
			  names_stretch_callback *take, void *argument);

#endif
