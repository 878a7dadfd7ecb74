/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session that is made of a recording: whoever reads one tells here what it has, in the order of
 * time, and a sample data set comes out of it, of the records that a measurement has
 * (records/record-types.h).
 *
 * What a sample stands for is CPU time; a data set has one period for all of its samples. Where all
 * of a recording stand for the same, each becomes one. Where they do not (cycles), each one
 * completes none, one or several, by what is left over of those before it: the sum is kept to
 * within one.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORTED_H
#define VIGIL_SESSION_IMPORT_IMPORTED_H

#include "sampler/stacks.h"
#include "session/import/imported-file.h"
#include "session/import/imported-objects.h"
#include "session/import/imported-tasks.h"

/* What is known of a recording before its records are told. */
struct imported_facts {
	uint64_t start, end;  /* ns of its clock */
	uint64_t period;      /* ns of CPU time that a sample stands for; above 0 */
	uint64_t samples;     /* in it; there are never more in the data set */
	bool switches;	      /* it has the switches of its tasks */
	uint64_t written;     /* ns since 1970, 0 not known */
};

struct names;

struct imported {
	struct imported_facts facts;
	struct imported_file file;
	struct imported_objects objects;
	struct stacks stacks;
	struct imported_tasks tasks;
	uint64_t now, next_cut, cut_every;
	double credit; /* ns of samples that did not make a whole period yet */
	uint64_t samples, whole, broken; /* rows */
	bool named; /* what reads the recording knows the names itself */
	struct names *names;
	unsigned char *told; /* by frame - 1: imported-names.c's own */
	size_t told_count, told_alloc;
};

/* Begin a data set. -1 when it cannot stand there; it is released in any case. */
int imported_begin(struct imported *made, const char *path, bool replace,
		   const struct imported_facts *facts, struct error *err);
void imported_release(struct imported *made);
/* The time of the next record; a time before the last is taken as the last. */
void imported_at(struct imported *made, uint64_t time);
/* A sample of CPU time, which stands for weight ns. whole: its stack reaches an outermost frame. */
void imported_sample(struct imported *made, struct imported_task *task, uint32_t stack,
		     double weight, bool kernel, bool whole);
/* The last snapshot, with the names of all addresses; put the file in place. lost: samples that the
   kernel lost. */
int imported_end(struct imported *made, const char *path, uint64_t lost);

#endif
