/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the debug information of a stripped object may be: by its build id
 * under /usr/lib/debug, by its .gnu_debuglink beside it, from debuginfod when
 * DEBUGINFOD_URLS is set (never otherwise: the network is not used unasked),
 * and the compressed symbol table inside the object itself.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_DEBUGFILE_H
#define VIGIL_PROGRAM_NAMES_NAMES_DEBUGFILE_H

#include "common/strbuf.h"

#include <libelf.h>

#define DEBUGFILE_FOLDER "/usr/lib/debug"

/*
 * Open the separate debug file of the object elf at path; folder is where a
 * system keeps them (DEBUGFILE_FOLDER). Returns a descriptor, -1 when there is
 * none; what was found but does not fit is told in why.
 */
int debugfile_open(Elf *elf, const char *path, const char *folder, struct strbuf *why);
/* A number that changes when a debug file comes, goes or is another one. */
uint64_t debugfile_signature(Elf *elf, const char *object_path, const char *folder);
/* Unpack the symbol table in .gnu_debugdata; the caller frees it. NULL: there is none. */
void *debugfile_unpack_symbols(Elf *elf, size_t *size);

#endif
