/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sample data set that an import writes: records are added to a snapshot, which goes to the
 * file with the next one. The file is a draft beside its place and is put there at the end, whole.
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

/* Begin a file; -1 when it may not stand there. It is released in any case. */
int imported_file_begin(struct imported_file *file, const char *path, bool replace,
			struct error *err);
void imported_file_release(struct imported_file *file);
/* The number of a text. */
uint64_t imported_file_string(struct imported_file *file, const char *text);
/* Add a record of a type to the snapshot. */
void imported_file_add(struct imported_file *file, unsigned id, const void *record);
void imported_file_attribute(struct imported_file *file, const char *key, const char *format, ...)
	PRINTFLIKE(3, 4);
void imported_file_note(struct imported_file *file, enum severity severity, unsigned number,
			const char *text);
/* Write the snapshot, which ends at a time, and begin the next. */
void imported_file_cut(struct imported_file *file, uint64_t time, bool last);
/* After the last: put the file in place. -1 when that cannot be, or something could not be written. */
int imported_file_end(struct imported_file *file);

#endif
