/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes each file of a long collection whole by itself: what is told only once
 * (parameters, devices, the header of the collection) stands in the first
 * snapshot of every file, and a file has no texts but its own.
 */
#ifndef VIGIL_SESSION_COLLECTION_FILE_START_H
#define VIGIL_SESSION_COLLECTION_FILE_START_H

#include "common/idmap.h"
#include "common/strmap.h"
#include "metrics/present.h"

/* Zeroes are one that is empty. */
struct file_start {
	struct present_records present;
	struct recordset **once; /* of the first snapshot, while no later one has such; by type */
	size_t once_count;
	bool begun;	       /* there was a snapshot */
	struct strmap strings; /* of the file */
	struct idmap numbers;  /* of texts in it, by the engine's */
	struct snapshot made;  /* its sets are owned */
	bool has_strings;
};

/* Begin a file: its texts are those of file_start.strings from now on. */
void file_start_begin(struct file_start *start);
/*
 * A snapshot as the file has it: with all that was told once if it is the
 * first. strings: of the snapshot. Valid until the next.
 */
const struct snapshot *file_start_make(struct file_start *start, const struct snapshot *snapshot,
				       const struct strmap *strings, bool first);
void file_start_release(struct file_start *start);

#endif
