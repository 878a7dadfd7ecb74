/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes each file of a long collection self-contained: records that are produced
 * only once (parameters, devices, the header of the collection) are in the first
 * snapshot of every file, and a file has only its own texts.
 */
#ifndef VIGIL_SESSION_COLLECTION_FILE_START_H
#define VIGIL_SESSION_COLLECTION_FILE_START_H

#include "common/idmap.h"
#include "common/strmap.h"
#include "metrics/present.h"

/* Valid when zero-initialized. */
struct file_start {
	struct present_records present;
	struct recordset **once; /* records that so far were only in the first snapshot; by type */
	size_t once_count;
	bool begun;	       /* there has been a snapshot */
	struct strmap strings; /* of the file */
	struct idmap numbers;  /* the engine's text numbers to those of the file */
	struct snapshot made;  /* owns its sets */
	bool has_strings;
};

/* Begins a file: from now on file_start.strings has its texts. */
void file_start_begin(struct file_start *start);
/*
 * Returns a snapshot in the form for the file: if it is the first, with all
 * records produced once. strings: of the snapshot. Valid until the next call.
 */
const struct snapshot *file_start_snapshot(struct file_start *start, const struct snapshot *snapshot,
				       const struct strmap *strings, bool first);
void file_start_release(struct file_start *start);

#endif
