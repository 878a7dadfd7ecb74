/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * The file of a recording: a data set (engine/dataset.h) of TAPE records, one piece
 * of tape in a snapshot, so that a file that was cut off has all pieces before.
 */
#ifndef VIGIL_SAMPLER_RECORDING_TAPE_FILE_H
#define VIGIL_SAMPLER_RECORDING_TAPE_FILE_H

#include "common/error.h"
#include "common/strbuf.h"
#include "engine/dataset.h"

struct tape_file;

/* Creates a recording of at most limit bytes; 0: no limit. */
struct tape_file *tape_file_create(const char *path, uint64_t limit, struct error *err);
/*
 * Appends a piece, which is then empty. Returns 0; 1: it does not fit below the
 * limit, and nothing more is written; -1 with err. After both only
 * tape_file_finish may follow.
 */
int tape_file_put(struct tape_file *file, struct strbuf *piece, struct error *err);
/* Closes the file, whole or not; frees it. */
int tape_file_finish(struct tape_file *file, struct error *err);

/* The pieces of a recording, in memory. */
struct tape_pieces {
	struct strbuf *items;
	size_t count, alloc;
	uint64_t lost; /* number of pieces after the first that is not whole */
	bool partial;  /* the parts of the last piece are not complete yet */
	struct dataset_status status;
	char *version, *machine; /* what wrote it; NULL: it is no recording */
	uint64_t expected_part;
};

/* Reads a recording; -1 with err: it cannot be read, or is none of this version and machine. */
int tape_load(const char *path, struct tape_pieces *pieces, struct error *err);
void tape_pieces_release(struct tape_pieces *pieces);

#endif
