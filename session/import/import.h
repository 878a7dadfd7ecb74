/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a sample data set of a recording of perf: a perf.data, or the text that perf script makes
 * of one. Which of the two it is, its first bytes tell.
 *
 * Nothing is made up: what a recording does not tell has no record, and the data set says what
 * that is (ATTR_IMPORT, ATTR_UNKNOWN_*, and NOTEs), so that reports show it as not known.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORT_H
#define VIGIL_SESSION_IMPORT_IMPORT_H

#include "common/error.h"
#include "session/collection/messages.h"

struct import_request {
	const char *from; /* a file; "-": standard input */
	const char *to;	  /* the sample data set */
	bool replace;	  /* one that is there */
	const struct message_sink *sink; /* for what is missing, and why */
};

struct import_result {
	uint64_t read;	  /* samples of CPU time in the recording */
	uint64_t samples; /* in the data set */
	uint64_t cpu;	  /* ns that they stand for */
	uint64_t elapsed; /* ns from the first record to the last */
	bool switches;	  /* it tells waits, too */
	int severity;	  /* of the worst message */
};

/* -1 when there is no data set then. */
int import_recording(const struct import_request *request, struct import_result *result,
		     struct error *err);

#endif
