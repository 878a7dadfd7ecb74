/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a session of the text that perf script writes. Names are those of the text, and nothing is
 * looked up: it has no build ids, and no places of files in memory.
 */
#ifndef VIGIL_SESSION_IMPORT_TEXT_IMPORT_H
#define VIGIL_SESSION_IMPORT_TEXT_IMPORT_H

#include "session/import/import-notes.h"
#include "session/import/import.h"

struct import_input;

/* -1 when there is no data set then. */
int text_import(const struct import_request *request, struct import_input *input,
		struct import_notes *notes, struct import_result *result, struct error *err);

#endif
