/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a session of a perf.data. */
#ifndef VIGIL_SESSION_IMPORT_PERF_IMPORT_H
#define VIGIL_SESSION_IMPORT_PERF_IMPORT_H

#include "session/import/import-notes.h"
#include "session/import/import.h"

struct import_input;

/* The recording is taken over. -1 when there is no data set then. */
int perf_import(const struct import_request *request, struct import_input *input,
		struct import_notes *notes, struct import_result *result, struct error *err);

#endif
