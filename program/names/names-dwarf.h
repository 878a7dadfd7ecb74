/* SPDX-License-Identifier: Apache-2.0 */
/* The DWARF information of one object: its units, and which of them holds an address. */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_DWARF_H
#define VIGIL_PROGRAM_NAMES_NAMES_DWARF_H

#include "program/names/unit-names.h"

struct dwarf_names;

/* NULL when elf has no debug information that can be read. elf is borrowed. */
struct dwarf_names *dwarf_names_new(Elf *elf, struct name_texts *texts);
void dwarf_names_free(struct dwarf_names *dwarf);
/*
 * Fill levels, innermost first; returns how many, 0 when the address lies in
 * no unit. A procedure can be "" when only the line is known (assembly).
 */
size_t dwarf_names_resolve(struct dwarf_names *dwarf, uint64_t address,
			   struct name levels[NAMES_MAX_INLINE]);
/* An address behind this one, just resolved, up to which all means the same. */
uint64_t dwarf_names_next(struct dwarf_names *dwarf, uint64_t address);
/* Where the functions of the unit of such an address are; NULL when it is in none. */
const struct range_list *dwarf_names_functions(const struct dwarf_names *dwarf, uint64_t address);
/* Whether a part of the information is in files of its own (.dwo). */
bool dwarf_names_is_split(const struct dwarf_names *dwarf);
/* Where the code of all units begins and ends; both 0 when there is none. */
void dwarf_names_extent(const struct dwarf_names *dwarf, uint64_t *start, uint64_t *end);
/* Give all stretches of instructions of the object, unit by unit; see unit-names.h. */
bool dwarf_names_stretches(struct dwarf_names *dwarf, names_take_stretch *take, void *argument);

#endif
