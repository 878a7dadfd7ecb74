/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of an ELF file by name, for libelf. */
#ifndef VIGIL_PROGRAM_NAMES_ELF_SECTION_H
#define VIGIL_PROGRAM_NAMES_ELF_SECTION_H

#include <libelf.h>

/*
 * Returns the first section with a name that has content in the file, possibly
 * compressed; NULL: none.
 */
Elf_Scn *elf_section_named(Elf *elf, const char *name);

#endif
