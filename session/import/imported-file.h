/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sample data set that an import writes: records are added to a snapshot,
 * which is written when the next one begins. The file is a draft in the same
 * folder, and is moved to its name, complete, at the end.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORTED_FILE_H
#define VIGIL_SESSION_IMPORT_IMPORTED_FILE_H

#include "common/destination.h"
#include "engine/dataset.h"
#include "records/record-types.h"

struct imported_file {
	struct strmap strings;
	struct registry types;
	struct snapshot snapshot; /* being filled */
	struct destination place;
	struct strbuf draft;
	struct dataset_writer *writer;
	struct error *err; /* why it cannot be written; borrowed */
	bool failed;
};

/* Begins a file; -1 if it may not be created at path. Release it in either case. */
int imported_file_begin(struct imported_file *file, const char *path, bool replace,
			struct error *err);
void imported_file_release(struct imported_file *file);
/* Returns the number of a text. */
uint64_t imported_file_string(struct imported_file *file, const char *text);
/* Adds a record of a type to the snapshot. */
void imported_file_add(struct imported_file *file, unsigned id, const void *record);
void imported_file_attribute(struct imported_file *file, const char *key, const char *format, ...)
	PRINTFLIKE(3, 4);
void imported_file_note(struct imported_file *file, enum severity severity, unsigned number,
			const char *text);
/* Writes the snapshot, which ends at time, and begins the next. */
void imported_file_next_snapshot(struct imported_file *file, uint64_t time, bool last);
/* After the last snapshot: moves the file to its name. -1 if that or any write failed. */
int imported_file_end(struct imported_file *file);

#endif
