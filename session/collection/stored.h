/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sample data sets of collections as modules: records stand in it in the
 * form that their module stores them in.
 */
#ifndef VIGIL_SESSION_COLLECTION_STORED_H
#define VIGIL_SESSION_COLLECTION_STORED_H

#include "engine/dataset.h"
#include "engine/modules/hosted.h"
#include "session/collection/data-files.h"
#include "session/collection/file-start.h"
#include "session/collection/messages.h"

struct selection;

/* What is written. A data set that cannot be written ends the operation when nobody else takes the
   data; otherwise that is said, and the rest goes on. */
struct stored_data {
	const char *path; /* of the file, or the pattern of several */
	uint64_t size;	  /* bytes that a file has at most, 0: any number */
	struct rotation_time rotation;
	size_t keep; /* files of the pattern, 0: all */
	bool alone;  /* nobody else takes the data */
	const struct message_sink *sink;
	struct vigil_engine *guests;
	/* Filled. */
	uint64_t files, bytes, missed; /* missed: snapshots that are in none */
	struct strbuf name;	       /* of the newest file; the caller's */
	/* The module's own. */
	struct dataset_writer *writer; /* NULL: there is none now */
	struct file_start start;
	uint64_t period;    /* of the file */
	uint64_t snapshots; /* in it */
	uint64_t retry;	    /* when a file is tried again, ns monotonic */
	uint64_t gap;	    /* snapshots missed since the last that was stored */
};
/* Whether there are several files. */
bool stored_rotates(const struct stored_data *data);
extern const struct module_class stored_data_class;

/* Reads data sets, one after the other as one stretch: records come out in the form that modules
   see. */
struct stored_reader {
	const char *const *paths;
	size_t count; /* above 0 */
	struct vigil_engine *guests;
	bool pass_events;     /* leave the EVENT records out, which is fast */
	const struct selection *selection; /* leave records out that it has not; NULL: none */
	struct strbuf damage; /* filled: "A is damaged: ...", a line each; the caller's */
	struct strbuf
		disorder; /* filled: a line for each that begins before the one before it ends */
	/* The reader's own. */
	struct dataset_extractor extractor;
	size_t at;
	uint64_t wall; /* of the last snapshot */
	bool begun;    /* a snapshot of this file was read */
};
extern const struct module_class stored_reader_class;

#endif
