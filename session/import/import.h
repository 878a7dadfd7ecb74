/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creates a sample data set from a perf recording: a perf.data, or the text that
 * perf script prints of one. The first bytes decide which of them it is.
 *
 * Nothing is invented: data that a recording lacks has no record, and the data set
 * says what is missing (ATTR_IMPORT, ATTR_UNKNOWN_*, and NOTEs), so that reports
 * show it as unknown.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORT_H
#define VIGIL_SESSION_IMPORT_IMPORT_H

#include "common/error.h"
#include "session/collection/messages.h"

struct import_request {
	const char *from; /* a file; "-": standard input */
	const char *to;	  /* the sample data set */
	bool replace;	  /* replace an existing data set */
	const struct message_sink *sink; /* for what is missing, and why */
};

struct import_result {
	uint64_t read;	  /* samples of CPU time in the recording */
	uint64_t samples; /* in the data set */
	uint64_t cpu;	  /* ns of CPU time represented by them */
	uint64_t elapsed; /* ns from the first record to the last */
	bool switches;	  /* it also has waits */
	int severity;	  /* of the worst message */
};

/* Imports a recording. -1: no data set was written. */
int import_recording(const struct import_request *request, struct import_result *result,
		     struct error *err);

#endif
