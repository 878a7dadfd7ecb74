/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collections of system metrics: what the command collect and the control
 * statement COLLECT have done. A request says what; collect_run does it and
 * comes back when the collection is over.
 */
#ifndef VIGIL_SESSION_COLLECTION_COLLECTION_H
#define VIGIL_SESSION_COLLECTION_COLLECTION_H

#include "session/collection/data-files.h"
#include "session/collection/guests.h"

#include <stdio.h>

/* Zeroes are a collection of DEFAULT at each second, until a signal ends it. Texts are borrowed. */
struct collect_request {
	uint64_t interval;	    /* ns between snapshots, 0: one second */
	uint64_t count;		    /* of snapshots, 0: until something else ends it */
	uint64_t start, end;	    /* ns since 1970 UTC, 0: at once, never */
	const char *const *modules; /* names in either case */
	size_t module_count;	    /* 0: DEFAULT */
	struct guest_request guests;
	const char *data_set; /* path, NULL: none is written */
	bool replace;	      /* the data set, if it is there */
	uint64_t size;	      /* bytes that a file of it may have before another begins, 0: any */
	struct rotation_time rotation; /* when another begins */
	size_t keep;		       /* files, 0: all */
	const char *text;	       /* a form of text (TEXT_FORMS), NULL: none */
	bool live;		 /* a line an interval for who looks on; not with text, nor with a
				    consumer of others */
	unsigned lines;		 /* of the screen for it, where stream is no terminal; 0: unknown */
	FILE *stream;		 /* where text goes */
	const char *openmetrics; /* path of a file for the newest snapshot, NULL: none */
	bool has_port;		 /* the same on a port of the loopback interface */
	uint16_t port;		 /* 0: any that is free */
	bool quiet;		 /* do not say what was done */
};

/* Read "0.5", seconds between snapshots; false: it is none that can be. */
bool collect_parse_interval(const char *text, uint64_t *interval);
/*
 * Carry out a request. Signals that end a process end the collection instead
 * (SIGINT, SIGTERM, SIGHUP, SIGQUIT, unless ignored), with all that was
 * collected kept. The exit status: the worst severity of what was said.
 */
int collect_run(const struct collect_request *request, const struct message_sink *sink);

#endif
