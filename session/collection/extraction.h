/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extractions: records of sample data sets, or of a MONWRITE file, as text, for
 * the command extract and the control statement EXTRACT.
 */
#ifndef VIGIL_SESSION_COLLECTION_EXTRACTION_H
#define VIGIL_SESSION_COLLECTION_EXTRACTION_H

#include "session/collection/guests.h"

#include <stdio.h>

/* Exit status for an invalid request, as for a wrong command line. */
#define EXTRACT_WRONG 2

/* Texts are borrowed. */
struct extract_request {
	const char *const *paths; /* of the data sets, read as one sequence */
	size_t path_count;	  /* above 0 */
	struct guest_request guests;
	const char *const *records; /* RECORD, RECORD.ITEM or a group, case-insensitive */
	size_t record_count;	    /* 0: all metrics, or everything there is */
	const char *from, *to;	    /* times (session/collection/when.h), relative to the first
				     * snapshot; NULL: unbounded */
	const char *text;	    /* a format of text (TEXT_FORMS); NULL: LIST, or none with a
				     * third-party consumer */
	int leap_seconds;   /* seconds by which the clock of a MONWRITE file is ahead of UTC */
	const char *output;	    /* path; NULL: standard output */
	FILE *stream;		    /* output of text instead of output; NULL: use output */
};

/*
 * Performs a request. Returns the exit status: the worst severity of the messages,
 * or EXTRACT_WRONG.
 */
int extract_run(const struct extract_request *request, const struct message_sink *sink);

#endif
