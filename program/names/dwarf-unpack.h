/* SPDX-License-Identifier: Apache-2.0 */
/* Makes decompressed copies of debug information, so that it need not be decompressed again. */
#ifndef VIGIL_PROGRAM_NAMES_DWARF_UNPACK_H
#define VIGIL_PROGRAM_NAMES_DWARF_UNPACK_H

#include "common/compat.h"

#include <libelf.h>

/*
 * Returns whether a file has compressed debug information, and has all of it: none
 * in a supplementary file.
 */
bool dwarf_is_packed(Elf *elf);
/*
 * Writes an ELF file that has only the debug information, decompressed; returns
 * false if that would take more than most bytes, or reading or writing fails. The
 * sections of elf are decompressed after that.
 */
bool dwarf_unpack(Elf *elf, int fd, size_t most);

#endif
