/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolves the addresses of a recording, in those files on this machine that match
 * the recording, in the same way as the names of a session (program/names). Kernel
 * addresses are resolved if the recording is from the current boot; memory without
 * a file (through a perf map) if in addition the process was recorded here.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORTED_NAMES_H
#define VIGIL_SESSION_IMPORT_IMPORTED_NAMES_H

#include "records/record-types.h"
#include "program/names/names.h"

struct imported;

/* Adds NAME rows of all frames without name, and OBJECT rows of their objects. */
void imported_names_rows(struct imported *made);

/*
 * Returns whether a function is part of the start of a program or thread: it has
 * no relevant caller.
 */
bool imported_names_is_start(const char *function);
/* The same for a frame, by its name; false if it has none. */
bool imported_names_starts(struct imported *made, uint32_t frame);
/* Returns the reason of a wait inside a kernel function (enum wait_reason); 0: unknown. */
unsigned imported_names_reason_of(const char *function);
/* The same for a frame. */
unsigned imported_names_reason(struct imported *made, uint32_t frame);

#endif
