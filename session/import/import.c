/* SPDX-License-Identifier: Apache-2.0 */
/* Determines the kind of a recording, and imports it. */
#include "common/compat.h"
#include "session/import/import.h"
#include "session/import/import-input.h"
#include "session/import/import-notes.h"
#include "session/import/perf-data/perf-recording.h"
#include "session/import/perf-import.h"
#include "session/import/perf-text.h"
#include "session/import/text-import.h"

/* Creates the data set according to the kind of input. */
static int make(const struct import_request *request, struct import_input *input,
		struct import_notes *notes, struct import_result *result, struct error *err)
{
	size_t size;
	const unsigned char *first = import_input_some(input, 0, 64, &size);

	if (!size)
		return error_set(err, "it is empty");
	if (perf_data_is(first, size))
		return perf_import(request, input, notes, result, err);
	if (perf_text_is(first, size))
		return text_import(request, input, notes, result, err);
	return error_set(err, "it is neither a perf.data nor the text of perf script");
}

int import_recording(const struct import_request *request, struct import_result *result,
		     struct error *err)
{
	const char *name = strcmp(request->from, "-") ? request->from : "standard input";
	struct import_notes notes;
	struct import_input input;
	int status;

	memset(result, 0, sizeof(*result));
	RETURN_IF(import_input_open(&input, request->from, err) < 0, -1);
	import_notes_init(&notes, request->sink);
	status = make(request, &input, &notes, result, err);
	if (status < 0)
		error_prefix(err, "%s", name);
	result->severity = notes.severity;
	import_notes_release(&notes);
	import_input_close(&input);
	return status;
}
