/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A producer of system metrics: mostly a table of items (metric-text.h) and of
 * their source files. From these tables the module, its record type and its
 * reading are made here. A producer that needs more has functions.
 *
 * Files stay open. One that cannot be opened or read is tried again at the next
 * snapshot. Meanwhile its values are missing, and a record that would have no
 * other values is not made: a gap, never a zero.
 */
#ifndef VIGIL_METRICS_METRIC_H
#define VIGIL_METRICS_METRIC_H

#include "common/procfs-file.h"
#include "engine/engine.h"
#include "metrics/metric-text.h"

struct metric_source;
struct shared_texts;
struct task_statistics;

/* Data shared by several producers. */
struct metric_support {
	struct shared_texts *texts;
	struct task_statistics *tasks; /* NULL: its supporter EXEC takes no part */
};

struct metric_file {
	const char *path;
	enum metric_form form;
};

struct metric_kind {
	const char *name;    /* of the module: "MEM" */
	const char *record;  /* of the record type: "mem" */
	const char *summary; /* one line for "vigil modules" */
	const char *meaning; /* what one record is, as a sentence */
	const struct metric_item *items;
	size_t item_count;
	/*
	 * If the first file is METRIC_ROWS: a record a line. Otherwise all files make one
	 * record.
	 */
	const struct metric_file *files;
	size_t file_count;
	/* File whose items must be found for a record to be made; 0: any file. */
	unsigned needs;
	/* Reason when there are no records, or NULL: derived from the files. */
	const char *absent;
	/* Dependencies, as in module.h; NULL: none. */
	const char *const *after;
	bool supports;	 /* it is also a SUPPORTER: initialized before all others */
	size_t private_size; /* bytes of the producer's private data, zero-initialized */
	/* Initializes the producer. May be NULL. */
	void (*begin)(struct metric_source *source);
	/* Completes a record taken from the files; returns false to leave it out. May be NULL. */
	bool (*complete)(struct metric_source *source);
	/* Makes all records instead. May be NULL. */
	void (*read)(struct metric_source *source);
	/* Frees the producer's private data. May be NULL. */
	void (*release)(struct metric_source *source);
};

/* An active producer: the context of its module. */
struct metric_source {
	const struct metric_kind *kind;
	struct engine *engine;
	struct strmap *strings;
	struct metric_text {
		struct procfs_file file;
		struct metric_plan plan;
		size_t shared;	   /* number of the text if it is shared with other producers */
		const char *last;  /* the text when last read, NULL: it could not be read */
		int error;	   /* errno why it could not be read */
	} * texts;		   /* by file of the kind; owned */
	uint64_t *values;	   /* of the record in progress, by item; owned */
	struct snapshot *snapshot; /* the one in progress */
	struct recordset *set;	   /* receives the records, in snapshot */
	void *own;
	uint64_t records;		/* in the previous snapshot */
	void *argument;			/* as given by the client */
	struct metric_support *support; /* data shared by supporters */
	const char *why;		/* reason why there are no records; NULL: see
					 * metric_source_why */
};

#define METRIC_ITEMS(table) .items = (table), .item_count = ARRAY_SIZE(table)
#define METRIC_FILES(table) .files = (table), .file_count = ARRAY_SIZE(table)

/* Reads file number file (from 1) anew; NULL: it cannot be read. */
const char *metric_text(struct metric_source *source, unsigned file);
/* Does the same, and takes its values. */
bool metric_read(struct metric_source *source, unsigned file);
/* Begins a record: all values are missing. */
void metric_begin(struct metric_source *source);
/* Adds the record to the snapshot. */
void metric_add(struct metric_source *source);
/* Makes a record for each line of the first file, of METRIC_ROWS. */
void metric_rows(struct metric_source *source);
/* Sets a text. */
void metric_string(struct metric_source *source, size_t item, const char *text);
/* Sets an item from the first word, or line, of a small file, which is closed again. */
bool metric_small_file(struct metric_source *source, size_t item, const char *path);

/* Makes the record type of a kind; freed with metric_type_free. */
struct record_type *metric_type(const struct metric_kind *kind);
void metric_type_free(struct record_type *type);
/* Create and free a source. */
struct metric_source *metric_source_new(const struct metric_kind *kind, struct engine *engine,
					void *argument, struct metric_support *support);
void metric_source_free(struct metric_source *source);
/* Makes the records of one snapshot. */
void metric_source_read(struct metric_source *source, struct snapshot *snapshot, unsigned type);
/* Appends why a source had no records, as a sentence without its full stop. */
void metric_source_why(const struct metric_source *source, struct strbuf *sb);

#endif
