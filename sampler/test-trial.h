/* SPDX-License-Identifier: Apache-2.0 */
/* For tests: runs a program of tests/programs with data collectors of tests/collectors, and reads
   what these were given from their own log. */
#ifndef VIGIL_SAMPLER_TEST_TRIAL_H
#define VIGIL_SAMPLER_TEST_TRIAL_H

#include "records/record-types.h"
#include "sampler/test-session.h"

/* One line of a collector's log. */
struct call {
	char name[8], module[64], transaction[64], id[64], program[64];
	long tid, pid, anchor;
	uint64_t time, address, base, size, rip, rsp, stack_at, generation;
	unsigned state, flags, work, known;
	size_t frames, stack, places;
};

/* A program measured with collectors. */
struct trial {
	struct session session;
	struct sampler_collector list[3];
	size_t count;
	char log[64], enough_file[64];
	/* What must be true of the calls and rows so far before the program may end; NULL: nothing.
	   Given before trial_measure, whose program takes enough_file as an argument. */
	bool (*enough)(const struct trial *trial);
	bool came; /* it was true once; samples may have been thinned since */
	char parameters[3][512];
	struct call *calls;
	size_t call_count;
};

void trial_begin(struct trial *trial);
/* Add a collector of tests/collectors with the words of its parameter. */
struct sampler_collector *trial_add(struct trial *trial, const char *path, const char *words);
/* Add tests/collectors/rules.so. */
struct sampler_collector *trial_add_rules(struct trial *trial, const char *words);
/* Measure a program of tests/programs with its arguments, NULL at the end; it must end well. */
void trial_measure(struct trial *trial, ...);
/* Measure tests/programs/shares until something is true of what was seen; it must come about. */
void trial_measure_until(struct trial *trial, bool (*enough)(const struct trial *trial));
void trial_finish(struct trial *trial);

/* The last row of the collector that was taken in as number. */
struct record_collector trial_row(const struct trial *trial, uint64_t number);
/* What is wrong with the first collector, "" when all is well. */
const char *trial_problem(const struct trial *trial);
/* The kind and the path of the object of a stack's innermost frame. */
uint64_t trial_object(const struct trial *trial, uint64_t stack, const char **path);
/* Samples of user code that are shown in a module. */
size_t trial_samples(const struct trial *trial, const char *module);
/* The sample of a time, NULL when it was thinned. */
const struct record_sample *trial_sample(const struct trial *trial, uint64_t time);
/* The name of a transaction. */
const char *trial_transaction(const struct trial *trial, uint64_t id);

#endif
