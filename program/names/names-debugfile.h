/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the debug information of a stripped object: by its build id under
 * /usr/lib/debug, by its .gnu_debuglink next to it, from debuginfod if
 * DEBUGINFOD_URLS is set (otherwise never: the network is not used without
 * permission), and the compressed symbol table inside the object itself.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_DEBUGFILE_H
#define VIGIL_PROGRAM_NAMES_NAMES_DEBUGFILE_H

#include "common/strbuf.h"

#include <libelf.h>

#define DEBUGFILE_FOLDER "/usr/lib/debug"

/*
 * Opens the separate debug file of the object elf at path; folder is where the
 * system keeps them (DEBUGFILE_FOLDER). Returns a descriptor, -1 if there is none;
 * why describes a file that was found but does not match.
 */
int debugfile_open(Elf *elf, const char *path, const char *folder, struct strbuf *why);
/* Returns a number that changes when a debug file appears, disappears or is replaced. */
uint64_t debugfile_signature(Elf *elf, const char *object_path, const char *folder);
/* Decompresses the symbol table in .gnu_debugdata; the caller frees it. NULL: there is none. */
void *debugfile_unpack_symbols(Elf *elf, size_t *size);

#endif
