/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opens the debug information of an ELF file for libdw so that nothing is read
 * past its sections, even if the file is damaged.
 */
#ifndef VIGIL_PROGRAM_NAMES_DWARF_OPEN_H
#define VIGIL_PROGRAM_NAMES_DWARF_OPEN_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#define DWARF_TEXT_SECTIONS 4

struct dwarf_file {
	Dwarf *dwarf;			  /* NULL: there is none, or it is not readable */
	char *ended[DWARF_TEXT_SECTIONS]; /* copies of sections whose last text was not
					   * terminated */
};

/*
 * Returns whether elf has readable debug information. elf (NULL: none) is borrowed
 * until the file is closed, and must be ended only after that.
 */
bool dwarf_file_open(struct dwarf_file *file, Elf *elf);
/* Also for one that could not be opened. */
void dwarf_file_close(struct dwarf_file *file);

#endif
