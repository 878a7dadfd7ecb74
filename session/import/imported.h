/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session built from a recording: the reader of a recording calls these
 * functions for each of its records, in time order, and the result is a sample
 * data set with the same records as a measurement (records/record-types.h).
 *
 * A sample represents CPU time; a data set has one period for all samples. If all
 * samples of a recording have the same weight, each becomes one sample. If not
 * (cycles), each one yields none, one or several, depending on the remainder of
 * those before it: the sum is accurate to one period.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORTED_H
#define VIGIL_SESSION_IMPORT_IMPORTED_H

#include "sampler/stacks.h"
#include "session/import/imported-file.h"
#include "session/import/imported-objects.h"
#include "session/import/imported-tasks.h"

/* Facts about a recording that are known before its records are added. */
struct imported_facts {
	uint64_t start, end;  /* ns of the recording's clock */
	uint64_t period;      /* ns of CPU time per sample; above 0 */
	uint64_t samples;     /* number in the recording; the data set never has more */
	bool switches;	      /* the recording has task switches */
	uint64_t written;     /* ns since 1970; 0: unknown */
};

struct names;

struct imported {
	struct imported_facts facts;
	struct imported_file file;
	struct imported_objects objects;
	struct stacks stacks;
	struct imported_tasks tasks;
	uint64_t now, next_snapshot, snapshot_interval;
	double credit; /* ns of samples that do not yet add up to a period */
	uint64_t samples, whole, broken; /* number of rows */
	bool named; /* the reader of the recording supplies names itself */
	struct names *names;
	unsigned char *frame_cache; /* by frame - 1: cache of imported-names.c */
	size_t frame_cache_count, frame_cache_alloc;
};

/* Begins a data set. -1 if it cannot be created at path; release it in either case. */
int imported_begin(struct imported *made, const char *path, bool replace,
		   const struct imported_facts *facts, struct error *err);
void imported_release(struct imported *made);
/*
 * Sets the time of the next record, limited to the range from the last one to the
 * end of the recording.
 */
void imported_at(struct imported *made, uint64_t time);
/* Adds a sample of CPU time with a weight in ns. whole: its stack reaches an outermost frame. */
void imported_sample(struct imported *made, struct imported_task *task, uint32_t stack,
		     double weight, bool kernel, bool whole);
/*
 * Writes the last snapshot, with the names of all addresses, and moves the file to
 * its name. lost: number of samples lost by the kernel.
 */
int imported_end(struct imported *made, const char *path, uint64_t lost);

#endif
