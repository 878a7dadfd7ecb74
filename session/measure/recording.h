/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recording of a session: every call that the session gets, and what it learns
 * from outside in each (sampler/recording), in a file beside the data set. A replay
 * (replay.h) makes the same calls.
 */
#ifndef VIGIL_SESSION_MEASURE_RECORDING_H
#define VIGIL_SESSION_MEASURE_RECORDING_H

#include "session/measure/measure.h"
#include "sampler/recording/tape.h"

#define RECORDING_SUFFIX ".vrec"
/* MB of a recording, if nothing else is asked for. */
#define RECORDING_SIZE_MB UINT64_C(1024)

/* The calls: TAPE_SESSION with this as a. Stable in files. */
enum session_call {
	SESSION_SETTING = 1, /* before the others: a setting of the request (request-settings.h) */
	SESSION_NEW,	     /* measure_new */
	SESSION_FOLLOW,	     /* b: process */
	SESSION_ATTACH,	     /* b: process */
	SESSION_STEP,	     /* b: milliseconds */
	SESSION_RESULT,	     /* text: abend; data: struct session_result */
	SESSION_FINISH,
	SESSION_FREE, /* only if it was not finished */
};

/* Arguments of measure_set_result. */
struct session_result {
	int64_t return_code;
	uint64_t cpu_user, cpu_system, peak_resident;
};

struct recording;

/* Returns the path of the recording beside a data set, which the caller frees. */
char *recording_beside(const char *data_set);
/* Creates the file at path, and writes the request into it. */
struct recording *recording_new(const char *path, const struct measure_request *request, struct error *err);
/*
 * A call begins: until it ends, what the thread learns from outside is recorded.
 * text "" and data NULL: none. Does nothing without a recording.
 */
void recording_enter(struct recording *recording, const struct tape_entry *call);
void recording_leave(struct recording *recording);
/* Ends the recording; the session may go on. What it was given stays valid until recording_free. */
void recording_end(struct recording *recording);
/* Returns why the recording ended early, a sentence without full stop; "": it did not. */
const char *recording_failure(const struct recording *recording);
void recording_free(struct recording *recording);

#endif
