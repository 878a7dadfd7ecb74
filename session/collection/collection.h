/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collections of system metrics, for the command collect and the control statement
 * COLLECT. A request describes the collection; collect_run performs it and returns
 * when it is over.
 */
#ifndef VIGIL_SESSION_COLLECTION_COLLECTION_H
#define VIGIL_SESSION_COLLECTION_COLLECTION_H

#include "session/collection/data-files.h"
#include "session/collection/guests.h"

#include <stdio.h>

/* Zero-initialized: collects DEFAULT every second until a signal. Texts are borrowed. */
struct collect_request {
	uint64_t interval;	    /* ns between snapshots, 0: one second */
	uint64_t count;		    /* number of snapshots; 0: no limit */
	uint64_t start, end;	    /* ns since 1970 UTC; 0: immediately; never */
	const char *const *modules; /* names in either case */
	size_t module_count;	    /* 0: DEFAULT */
	struct guest_request guests;
	const char *data_set; /* path; NULL: none */
	bool replace;	      /* replace an existing data set */
	uint64_t size;	      /* maximum bytes of a file before another begins; 0: no limit */
	struct rotation_time rotation; /* when another file begins */
	size_t keep;		       /* number of files; 0: all */
	const char *text;	       /* a format of text (TEXT_FORMS); NULL: none */
	bool live;		 /* print a line per interval for an observer; not with text, nor
				  * with a third-party consumer */
	unsigned lines;		 /* lines of its screen, if stream is no terminal; 0: unknown */
	FILE *stream;		 /* output of text */
	const char *openmetrics; /* path of a file with the newest snapshot; NULL: none */
	bool has_port;		 /* serve the newest snapshot on a port of the loopback interface */
	uint16_t port;		 /* 0: any free port */
	bool quiet;		 /* no summary at the end */
};

/* Parses the seconds between snapshots, "0.5"; false: invalid or out of range. */
bool collect_parse_interval(const char *text, uint64_t *interval);
/*
 * Performs a request. Signals that would end the process end the collection
 * instead (SIGINT, SIGTERM, SIGHUP, SIGQUIT, unless ignored), keeping everything
 * collected. Returns the exit status: the worst severity of the messages.
 */
int collect_run(const struct collect_request *request, const struct message_sink *sink);

#endif
