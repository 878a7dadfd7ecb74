/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of debug information that was compressed, so that it need not be unpacked again. */
#ifndef VIGIL_PROGRAM_NAMES_DWARF_UNPACK_H
#define VIGIL_PROGRAM_NAMES_DWARF_UNPACK_H

#include "common/compat.h"

#include <libelf.h>

/* Whether a file has compressed debug information, and all of it: none in a file beside it. */
bool dwarf_is_packed(Elf *elf);
/* Write an ELF file that has the debug information alone, unpacked; false when it would take more
   than most bytes, or cannot be read or written. The sections of elf are unpacked after that. */
bool dwarf_unpack(Elf *elf, int fd, size_t most);

#endif
