/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A producer of system metrics: mostly a table of items (metric-text.h) and
 * of the files that they come from. From that the module, its record type
 * and its reading are made here. A producer that needs more has functions.
 *
 * Files stay open. One that cannot be opened, or that cannot be read any
 * more, is tried again at the next snapshot; meanwhile its values are missing,
 * and a record that has none of its own is not made: a gap, never a zero.
 */
#ifndef VIGIL_METRICS_METRIC_H
#define VIGIL_METRICS_METRIC_H

#include "common/procfs-file.h"
#include "engine/engine.h"
#include "metrics/metric-text.h"

struct metric_source;
struct shared_texts;
struct task_statistics;

/* What there is for several producers. */
struct metric_support {
	struct shared_texts *texts;
	struct task_statistics *tasks; /* NULL: its supporter EXEC does not take part */
};

struct metric_file {
	const char *path;
	enum metric_form form;
};

struct metric_kind {
	const char *name;    /* of the module: "MEM" */
	const char *record;  /* of the record type: "mem" */
	const char *summary; /* one line for "vigil modules" */
	const char *meaning; /* what one record is, a sentence */
	const struct metric_item *items;
	size_t item_count;
	/* One file of METRIC_ROWS, the first: a record a line. Otherwise all make one record. */
	const struct metric_file *files;
	size_t file_count;
	/* Items that must be found in the text for a record to be made: file number, 0 any. */
	unsigned needs;
	/* Why there is nothing where there are no records, or NULL: what the files say. */
	const char *absent;
	/* What it comes after, as in module.h; NULL: nothing. */
	const char *const *after;
	bool supports;	 /* it is a SUPPORTER too: brought up before all others */
	size_t own_size; /* bytes, cleared, that the producer has for itself */
	/* Gets ready. May be NULL. */
	void (*begin)(struct metric_source *source);
	/* Completes a record that was taken from the files; false: leave it out. May be NULL. */
	bool (*complete)(struct metric_source *source);
	/* Makes all records instead. May be NULL. */
	void (*read)(struct metric_source *source);
	/* Frees what the producer made. May be NULL. */
	void (*release)(struct metric_source *source);
};

/* A producer at work: the context of its module. */
struct metric_source {
	const struct metric_kind *kind;
	struct engine *engine;
	struct strmap *strings;
	struct metric_text {
		struct procfs_file file;
		struct metric_plan plan;
		size_t shared;	   /* number of the text that it has in common with others */
		const char *last;  /* what it was when it was read last, NULL: it could not be */
		int error;	   /* why it could not be read, an errno */
	} * texts;		   /* by file of the kind; owned */
	uint64_t *values;	   /* of the record that is being made, by item; owned */
	struct snapshot *snapshot; /* while it is being made */
	struct recordset *set;	   /* where records go, in it */
	void *own;
	uint64_t records;		/* in the snapshot before */
	void *argument;			/* what the client gave for it */
	struct metric_support *support; /* what supporters have for all */
	const char *why;		/* there are no records; NULL: see metric_source_why */
};

#define METRIC_ITEMS(table) .items = (table), .item_count = ARRAY_SIZE(table)
#define METRIC_FILES(table) .files = (table), .file_count = ARRAY_SIZE(table)

/* Reads file number file (from 1) as it is now; NULL: it cannot be read. */
const char *metric_text(struct metric_source *source, unsigned file);
/* The same, and take its values. */
bool metric_read(struct metric_source *source, unsigned file);
/* Begins a record: all values are missing. */
void metric_begin(struct metric_source *source);
/* Gives the record to the snapshot. */
void metric_add(struct metric_source *source);
/* Makes a record for each line of the first file, of METRIC_ROWS. */
void metric_rows(struct metric_source *source);
/* Sets a text. */
void metric_string(struct metric_source *source, size_t item, const char *text);
/* Sets an item from the first word, or line, of a small file that is not kept open. */
bool metric_small_file(struct metric_source *source, size_t item, const char *path);

/* The record type of a kind, made new; freed with metric_type_free. */
struct record_type *metric_type(const struct metric_kind *kind);
void metric_type_free(struct record_type *type);
/* Makes a source, and end one. */
struct metric_source *metric_source_new(const struct metric_kind *kind, struct engine *engine,
					void *argument, struct metric_support *support);
void metric_source_free(struct metric_source *source);
/* Makes the records of one snapshot. */
void metric_source_read(struct metric_source *source, struct snapshot *snapshot, unsigned type);
/* Why a source had no records, as a sentence without its full stop. */
void metric_source_why(const struct metric_source *source, struct strbuf *sb);

#endif
