/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the debug information of an ELF file for libdw so that nothing is read
 * past its sections, also where the file is damaged.
 */
#ifndef VIGIL_PROGRAM_NAMES_DWARF_OPEN_H
#define VIGIL_PROGRAM_NAMES_DWARF_OPEN_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#define DWARF_TEXT_SECTIONS 4

struct dwarf_file {
	Dwarf *dwarf;			  /* NULL: there is none, or it cannot be read */
	char *ended[DWARF_TEXT_SECTIONS]; /* copies of sections whose last text had no end */
};

/* Whether elf has debug information that can be read. elf (NULL: none) is borrowed until the file
   is closed, and ended after that. */
bool dwarf_file_open(struct dwarf_file *file, Elf *elf);
/* Also of one that could not be opened. */
void dwarf_file_close(struct dwarf_file *file);

#endif
