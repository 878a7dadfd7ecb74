/* SPDX-License-Identifier: Apache-2.0 */
/* Imports a perf.data. */
#ifndef VIGIL_SESSION_IMPORT_PERF_IMPORT_H
#define VIGIL_SESSION_IMPORT_PERF_IMPORT_H

#include "session/import/import-notes.h"
#include "session/import/import.h"

struct import_input;

/* Takes ownership of input. -1: no data set was written. */
int perf_import(const struct import_request *request, struct import_input *input,
		struct import_notes *notes, struct import_result *result, struct error *err);

#endif
