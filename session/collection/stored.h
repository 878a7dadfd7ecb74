/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules for the sample data sets of collections: they contain records in the
 * stored form of their module.
 */
#ifndef VIGIL_SESSION_COLLECTION_STORED_H
#define VIGIL_SESSION_COLLECTION_STORED_H

#include "engine/dataset.h"
#include "engine/modules/hosted.h"
#include "session/collection/data-files.h"
#include "session/collection/file-start.h"
#include "session/collection/messages.h"

struct selection;

/*
 * Writes a data set. If it cannot be written and has no other consumer, the
 * operation ends; otherwise this is reported, and the rest continues.
 */
struct stored_data {
	const char *path; /* of the file, or a pattern for several */
	uint64_t size;	  /* maximum bytes of a file; 0: no limit */
	struct rotation_time rotation;
	size_t keep; /* number of files of the pattern; 0: all */
	bool alone;  /* no other consumer takes the data */
	const struct message_sink *sink;
	struct vigil_engine *guests;
	/* Results. */
	uint64_t files, bytes, missed; /* missed: snapshots that are in no file */
	struct strbuf name;	       /* of the newest file; the caller releases it */
	/* Private to the module. */
	struct dataset_writer *writer; /* NULL: no open file */
	struct file_start start;
	uint64_t period;    /* rotation period of the file */
	uint64_t snapshots; /* number in it */
	uint64_t retry;	    /* time of the next attempt to create a file, ns monotonic */
	uint64_t missed_in_row;	    /* snapshots missed since the last stored one */
};
/* Returns whether there are several files. */
bool stored_rotates(const struct stored_data *data);
extern const struct module_class stored_data_class;

/* Reads data sets in sequence, as if they were one: records have the form that modules see. */
struct stored_reader {
	const char *const *paths;
	size_t count; /* above 0 */
	struct vigil_engine *guests;
	bool pass_events;     /* skip EVENT records, which is fast */
	const struct selection *selection; /* skip records that are not in it; NULL: none */
	struct strbuf damage; /* result: "A is damaged: ...", one per line; the caller releases
			       * it */
	struct strbuf
		disorder; /* result: a line for each file that begins before the previous one
			   * ends */
	/* Private to the reader. */
	struct dataset_extractor extractor;
	size_t at;
	uint64_t wall; /* of the last snapshot */
	bool begun;    /* a snapshot of this file was read */
};
extern const struct module_class stored_reader_class;

#endif
