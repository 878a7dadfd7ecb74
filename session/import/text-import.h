/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Imports the output of perf script. Names are those of the text, and nothing is
 * looked up: it has no build ids, and no load addresses of files.
 */
#ifndef VIGIL_SESSION_IMPORT_TEXT_IMPORT_H
#define VIGIL_SESSION_IMPORT_TEXT_IMPORT_H

#include "session/import/import-notes.h"
#include "session/import/import.h"

struct import_input;

/* Returns -1 if no data set was written. */
int text_import(const struct import_request *request, struct import_input *input,
		struct import_notes *notes, struct import_result *result, struct error *err);

#endif
