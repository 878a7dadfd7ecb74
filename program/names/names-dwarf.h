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
/* Give all stretches of instructions of the object, unit by unit; see unit-names.h. */
bool dwarf_names_stretches(struct dwarf_names *dwarf, names_take_stretch *take, void *argument);

#endif
