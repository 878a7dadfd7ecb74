/* SPDX-License-Identifier: Apache-2.0 */
/* The DWARF information of one object: its units, and which of them contains an address. */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_DWARF_H
#define VIGIL_PROGRAM_NAMES_NAMES_DWARF_H

#include "program/names/unit-names.h"

struct dwarf_names;

/* Returns NULL if elf has no readable debug information. elf is borrowed. */
struct dwarf_names *dwarf_names_new(Elf *elf, struct name_texts *texts);
void dwarf_names_free(struct dwarf_names *dwarf);
/*
 * Fills levels, innermost first; returns their number, 0 if the address is in no
 * unit. A procedure can be "" if only the line is known (assembly).
 */
size_t dwarf_names_resolve(struct dwarf_names *dwarf, uint64_t address,
			   struct name levels[NAMES_MAX_INLINE]);
/*
 * Returns an address after this one, which was just resolved, up to which the
 * result is the same.
 */
uint64_t dwarf_names_next(struct dwarf_names *dwarf, uint64_t address);
/*
 * Returns the ranges of the functions of the unit that contains such an address;
 * NULL if there is none.
 */
const struct range_list *dwarf_names_functions(const struct dwarf_names *dwarf, uint64_t address);
/* Returns whether a part of the information is in separate files (.dwo). */
bool dwarf_names_is_split(const struct dwarf_names *dwarf);
/* Finds the lowest and highest address of the code of all units; both 0 if there is none. */
void dwarf_names_extent(const struct dwarf_names *dwarf, uint64_t *start, uint64_t *end);
/* Passes all stretches of instructions of the object to take, unit by unit; see unit-names.h. */
bool dwarf_names_stretches(struct dwarf_names *dwarf, names_stretch_callback *take, void *argument);

#endif
