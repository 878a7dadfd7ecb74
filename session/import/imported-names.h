/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the addresses of a recording mean: looked up in the files here that are the recording's, as
 * the names of a session are (program/names). Kernel addresses have names when the recording is of
 * this boot, memory without a file (a perf map) when it is and the process was recorded here.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORTED_NAMES_H
#define VIGIL_SESSION_IMPORT_IMPORTED_NAMES_H

#include "records/record-types.h"
#include "program/names/names.h"

struct imported;

/* NAME rows of all frames that have none, and OBJECT rows of the objects they lie in. */
void imported_names_rows(struct imported *made);

/* Whether a function is one that the start of a program or thread is in: nothing calls it, or
   nothing that counts. */
bool imported_names_is_start(const char *function);
/* The same of a frame, by its name; false when it has none. */
bool imported_names_starts(struct imported *made, uint32_t frame);
/* What a task waits for that is in a function of the kernel (enum wait_reason); 0: it does not
   tell. */
unsigned imported_names_reason_of(const char *function);
/* The same of a frame. */
unsigned imported_names_reason(struct imported *made, uint32_t frame);

#endif
