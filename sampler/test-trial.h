/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests: runs a program of tests/programs with data collectors of
 * tests/collectors, and reads what these were given from their log.
 */
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
	/*
	 * Condition on the calls and rows so far for the program to end; NULL: none. Set
	 * before trial_measure, whose program gets enough_file as an argument.
	 */
	bool (*enough)(const struct trial *trial);
	bool came; /* it was true once; samples may have been thinned since */
	char parameters[3][512];
	struct call *calls;
	size_t call_count;
};

void trial_begin(struct trial *trial);
/* Adds a collector of tests/collectors with the words of its parameter. */
struct sampler_collector *trial_add(struct trial *trial, const char *path, const char *words);
/* Adds tests/collectors/rules.so. */
struct sampler_collector *trial_add_rules(struct trial *trial, const char *words);
/* Measures a program of tests/programs with its arguments, NULL at the end; it must succeed. */
void trial_measure(struct trial *trial, ...);
/* Measures tests/programs/shares until a condition is true, which must happen. */
void trial_measure_until(struct trial *trial, bool (*enough)(const struct trial *trial));
void trial_finish(struct trial *trial);

/* Returns the last row of the collector with this number. */
struct record_collector trial_row(const struct trial *trial, uint64_t number);
/* Returns the problem of the first collector; "": none. */
const char *trial_problem(const struct trial *trial);
/* Returns the kind and, in *path, the path of the object of a stack's innermost frame. */
uint64_t trial_object(const struct trial *trial, uint64_t stack, const char **path);
/* Returns the number of samples of user code that are shown in a module. */
size_t trial_samples(const struct trial *trial, const char *module);
/* Returns the sample at a time; NULL: it was thinned. */
const struct record_sample *trial_sample(const struct trial *trial, uint64_t time);
/* Returns the name of a transaction. */
const char *trial_transaction(const struct trial *trial, uint64_t id);

#endif
