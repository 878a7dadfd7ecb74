/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Extractions: records of sample data sets, or of a MONWRITE file, as text. What the command extract
 * and the control statement EXTRACT have done.
 */
#ifndef VIGIL_SESSION_COLLECTION_EXTRACTION_H
#define VIGIL_SESSION_COLLECTION_EXTRACTION_H

#include "session/collection/guests.h"

#include <stdio.h>

/* The request itself cannot be meant: the exit status for a wrong command line. */
#define EXTRACT_WRONG 2

/* Texts are borrowed. */
struct extract_request {
	const char *const *paths; /* of the data sets, which are read as one stretch */
	size_t path_count;	  /* above 0 */
	struct guest_request guests;
	const char *const *records; /* RECORD, RECORD.ITEM or a group, in either case */
	size_t record_count;	    /* 0: all metrics, or all there is */
	const char *from, *to;	    /* times (session/collection/when.h), from the first snapshot;
				       NULL: no bound */
	const char *text;	    /* a form of text (TEXT_FORMS); NULL: LIST, but nothing where a
				       module of others is a consumer */
	int leap_seconds;   /* that the clock of a MONWRITE file is ahead of UTC */
	const char *output;	    /* path, NULL: standard output */
	FILE *stream;		    /* where text goes instead, NULL: to output */
};

/* Carry out a request. The exit status: the worst severity of what was said, or EXTRACT_WRONG. */
int extract_run(const struct extract_request *request, const struct message_sink *sink);

#endif
