/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges coverage: the data sets of several runs become one, in which everything
 * counts as executed that was executed in any of them.
 *
 * records/coverage-sums.h defines which rows are the same, and how they are
 * merged.
 *
 * Different builds of a program are merged, too, if their statements are the same
 * (procedure, file, line), and the program's reason says so; its statements then
 * have no places, since those of the builds differ: whether a line was executed
 * partly is then unknown. Otherwise builds stay separate.
 *
 * The facts of the session are those of the first data set.
 */
#ifndef VIGIL_EVENTS_COVERAGE_MERGE_H
#define VIGIL_EVENTS_COVERAGE_MERGE_H

#include "common/error.h"
#include "common/strbuf.h"

/* Attribute of merged data sets: number of runs it stands for. */
#define ATTR_COVERAGE_RUNS "coverage.runs"
/* Suffix of the names of data sets with coverage. */
#define COVERAGE_DATA_SET_SUFFIX ".vcvf"

struct coverage_merge_result {
	uint64_t programs, statements, executed, runs;
	struct strbuf damage; /* sentences on what was missing; "" none */
};

/*
 * Merges the data sets at from into one at to, which appears complete or not at
 * all; it may be one of them. It is an error if to exists and replace is not set,
 * or if a data set has no coverage. result is initialized here, and its damage
 * released by the caller when 0 is returned.
 */
int coverage_merge(const char *const *from, size_t count, const char *to, bool replace,
		   struct coverage_merge_result *result, struct error *err);

#endif
