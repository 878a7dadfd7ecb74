/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sample data set on disk (.vprf): a sequence of blocks, each with type,
 * length, checksum and its own zlib stream. doc/vigil-dataset.5 describes every
 * byte. Record types are described in the file itself.
 *
 * Writing: the consumer module below, or the writer calls. Blocks are written to
 * the file at the end of each snapshot, so a crash loses at most the last one.
 * Reading: the extractor module below, or dataset_read. From a truncated or
 * damaged file all intact blocks are read, and the losses are reported.
 */
#ifndef VIGIL_ENGINE_DATASET_H
#define VIGIL_ENGINE_DATASET_H

#include "engine/engine.h"

struct dataset_writer;

/*
 * Creates path for records whose strings are in strings. An existing file is
 * replaced only once the first snapshot is written completely. Temporary files
 * (PATH.PID-N) that killed processes left next to path before their first snapshot
 * are removed.
 */
struct dataset_writer *dataset_create(const char *path, const struct strmap *strings,
				      struct error *err);
/*
 * Keeps the existing file at path as PATH.old when the new file replaces it; an
 * earlier .old is removed. If it cannot be kept, it is not replaced: writing
 * fails.
 */
void dataset_keep_old(struct dataset_writer *writer);
/* Makes the file readable by its owner only, also if it replaces one that others could read. */
int dataset_keep_private(struct dataset_writer *writer, struct error *err);
/* Limits the size of the file to bytes, except for its first snapshot. 0: no limit. */
void dataset_limit(struct dataset_writer *writer, uint64_t bytes);
/*
 * Appends the record sets of one snapshot, after the strings that are new. Returns
 * 0, -1 with err, or 1 when it does not fit below the limit: then none of it is in
 * the file, and only dataset_finish may follow.
 */
int dataset_write(struct dataset_writer *writer, const struct snapshot *snapshot,
		  struct error *err);
/* Returns whether to keep a row. */
typedef bool (*dataset_keep)(void *argument, const void *row);
/*
 * Rewrites the file without those rows of a built-in type, of 64-bit fields only,
 * for which keep returns false, and continues with the new file. The old file
 * stays intact until the new one is complete.
 */
int dataset_thin(struct dataset_writer *writer, const struct record_type *type, dataset_keep keep,
		 void *argument, struct error *err);
/* Writes the end block and closes the file. Always frees the writer. */
int dataset_finish(struct dataset_writer *writer, struct error *err);
/*
 * Closes the file without an end block; a file without a complete snapshot is
 * removed. NULL: does nothing.
 */
void dataset_abandon(struct dataset_writer *writer);
/* Returns the number of bytes in the file so far. */
uint64_t dataset_size(const struct dataset_writer *writer);

/* Findings of the reader besides the records. */
struct dataset_status {
	uint64_t bytes;		  /* size of the file */
	uint64_t blocks;	  /* intact blocks read */
	uint64_t unknown_blocks;  /* skipped: of a type unknown to this version */
	uint64_t damaged_blocks;  /* skipped: checksum or content wrong */
	uint64_t skipped_bytes;	  /* bytes outside intact blocks */
	uint64_t lost_snapshots;  /* snapshots some of whose sets depend on a damaged block */
	uint64_t passed_events;	  /* blocks of EVENT records skipped on request */
	bool complete;		  /* the end block was found */
	char version[16];	  /* format version of the file, "1.0" */
};

/* Returns whether path is a regular file that begins like a sample data set. */
bool dataset_is_at(const char *path);
/* Does the same with three results: 1 yes, 0 no, -1 unknown, because the file cannot be read. */
int dataset_check_path(const char *path);

/* Called for each snapshot in order; a nonzero result stops reading. */
typedef int (*dataset_snapshot)(void *argument, const struct snapshot *snapshot,
				const struct strmap *strings);

/*
 * Reads a whole file. snapshot->types, valid during the call, includes the record
 * types that the file defines. Damage is not an error: it is counted in status.
 * Returns -1 only when the file cannot be read or is no sample data set at all.
 * strings is filled and belongs to the caller.
 */
int dataset_read(const char *path, const struct record_catalogue *built_in, struct strmap *strings,
		 dataset_snapshot each, void *argument, struct dataset_status *status,
		 struct error *err);
/*
 * Does the same, but skips separate blocks of record types with many rows, which
 * is fast; status->passed_events counts them.
 */
int dataset_read_few(const char *path, const struct record_catalogue *built_in,
		     struct strmap *strings, dataset_snapshot each, void *argument,
		     struct dataset_status *status, struct error *err);
/* Appends one or two sentences on what is missing, nothing when the file is complete. */
void dataset_describe_damage(const struct dataset_status *status, struct strbuf *sb);

/* Reading and writing as modules. Context: struct dataset_consumer / struct dataset_extractor. */
struct dataset_consumer {
	const char *path;
	bool keep_old; /* see dataset_keep_old */
	struct dataset_writer *writer; /* NULL before init and after the last snapshot; for
				        * dataset_thin and dataset_size */
	/* Adds records that are only available once the last snapshot is written; NULL: none. */
	void (*closing)(void *argument, struct engine *engine, struct snapshot *snapshot);
	void *closing_argument;
};
struct dataset_extractor {
	const char *path;
	bool pass_events; /* skip the EVENT records, which is fast */
	/* Returns whether the module records of a type are to be read; NULL: all are. */
	bool (*wants)(const void *argument, const struct record_type *type);
	const void *wants_argument;
	bool silent; /* add no note on damage: the client checks status itself */
	struct dataset_status status; /* filled while reading */
	struct dataset_reader *reader;
};
extern const struct module_class dataset_consumer_class;
extern const struct module_class dataset_extractor_class;

#endif
