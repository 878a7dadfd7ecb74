/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sample data set on disk (.vprf): a sequence of blocks, each with type,
 * length, checksum and its own zlib stream; doc/vigil-dataset.5 describes
 * every byte. Record types describe themselves in the file.
 *
 * Writing: the consumer module below, or the writer calls. Blocks reach the
 * file at the end of each snapshot, so a crash loses at most the last one.
 * Reading: the extractor module below, or dataset_read. A file cut off or
 * damaged anywhere gives all whole blocks and says what is missing.
 */
#ifndef VIGIL_ENGINE_DATASET_H
#define VIGIL_ENGINE_DATASET_H

#include "engine/engine.h"

struct dataset_writer;

/*
 * Creates path (replacing a file there only once the first snapshot is written
 * whole) for records whose strings are in strings. What killed processes left of
 * their first snapshots beside path (PATH.PID-N) is removed.
 */
struct dataset_writer *dataset_create(const char *path, const struct strmap *strings,
				      struct error *err);
/*
 * What stands at path is to be kept as PATH.old when the new file takes its place; a .old
 * from before goes. Where it cannot be kept, nothing is replaced: writing fails.
 */
void dataset_keep_old(struct dataset_writer *writer);
/* The file never gets larger than bytes, but for its first snapshot. 0: any size. */
void dataset_limit(struct dataset_writer *writer, uint64_t bytes);
/*
 * Appends the record sets of one snapshot, and before them the strings that are
 * new. 0, -1 with err, or 1: it does not fit below the limit. Nothing of it is in
 * the file then, and nothing but dataset_finish may follow.
 */
int dataset_write(struct dataset_writer *writer, const struct snapshot *snapshot,
		  struct error *err);
/* Returns whether a row stays. */
typedef bool (*dataset_keep)(void *argument, const void *row);
/*
 * Writes the file anew without those rows of a built-in type, of 64-bit fields
 * only, for which keep returns false, and go on with the new file. The old one
 * stays whole until the new one is.
 */
int dataset_thin(struct dataset_writer *writer, const struct record_type *type, dataset_keep keep,
		 void *argument, struct error *err);
/* Writes the end block and close. The writer is freed in any case. */
int dataset_finish(struct dataset_writer *writer, struct error *err);
/* Closes without an end block; what was never written whole is removed. NULL: nothing. */
void dataset_abandon(struct dataset_writer *writer);
/* Bytes in the file so far. */
uint64_t dataset_size(const struct dataset_writer *writer);

/* What reading a file found besides its records. */
struct dataset_status {
	uint64_t bytes;		  /* of the file */
	uint64_t blocks;	  /* whole blocks read */
	uint64_t unknown_blocks;  /* skipped: of a type this version does not know */
	uint64_t damaged_blocks;  /* skipped: checksum or content wrong */
	uint64_t skipped_bytes;	  /* that belong to no whole block */
	uint64_t lost_snapshots;  /* of which a part builds on a block that was damaged */
	uint64_t passed_events;	  /* blocks with EVENT records that were passed over, as was asked for */
	bool complete;		  /* the end block was there */
	char version[16];	  /* format version of the file, "1.0" */
};

/* Returns whether there is a regular file at path that begins as a sample data set does. */
bool dataset_is_at(const char *path);
/* The same in three answers: 1 yes, 0 no, -1 not known, because the file cannot be read. */
int dataset_look_at(const char *path);

/* Called for each snapshot in order; return nonzero to stop reading. */
typedef int (*dataset_snapshot)(void *argument, const struct snapshot *snapshot,
				const struct strmap *strings);

/*
 * Reads a whole file. Record types that the file brings are among snapshot->types,
 * valid during the call. Damage is not an error: it is counted in status. -1 only
 * when the file cannot be read or is not a sample data set at all. strings is
 * filled and belongs to the caller.
 */
int dataset_read(const char *path, const struct record_catalogue *built_in, struct strmap *strings,
		 dataset_snapshot each, void *argument, struct dataset_status *status,
		 struct error *err);
/* The same without the records of types that have many, where they stand apart, which is fast;
   status->passed_events tells of them. */
int dataset_read_few(const char *path, const struct record_catalogue *built_in,
		     struct strmap *strings, dataset_snapshot each, void *argument,
		     struct dataset_status *status, struct error *err);
/* One or two sentences on what is missing, "" when nothing is. */
void dataset_describe_damage(const struct dataset_status *status, struct strbuf *sb);

/* The same as modules. Context: struct dataset_consumer / struct dataset_extractor. */
struct dataset_consumer {
	const char *path;
	bool keep_old; /* dataset_keep_old */
	struct dataset_writer *writer; /* NULL before init and after the last snapshot; for
					  dataset_thin and _size */
	/* Adds what is only known once the last snapshot is written; NULL: nothing. */
	void (*closing)(void *argument, struct engine *engine, struct snapshot *snapshot);
	void *closing_argument;
};
struct dataset_extractor {
	const char *path;
	bool pass_events; /* leave the EVENT records out, which is fast */
	/* Which records of modules are read, by type; NULL: all. */
	bool (*wants)(const void *argument, const struct record_type *type);
	const void *wants_argument;
	bool silent; /* add no note on damage: the client looks at status itself */
	struct dataset_status status; /* filled while reading */
	struct dataset_reader *reader;
};
extern const struct module_class dataset_consumer_class;
extern const struct module_class dataset_extractor_class;

#endif
