/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merging coverage: the data sets of several runs become one, in which is
 * executed what was executed in any of them.
 *
 *   What is the same, and what becomes of it, is said in records/coverage-sums.h.
 *   Different builds of a program are one, too, when their statements are the same
 *   (procedure, file, line), and its reason tells so; its statements have no places
 *   then, as those of the builds are not the same: that a line was executed partly is
 *   not known. Otherwise builds stay apart.
 *
 * Facts of the session are those of the first data set.
 */
#ifndef VIGIL_EVENTS_COVERAGE_MERGE_H
#define VIGIL_EVENTS_COVERAGE_MERGE_H

#include "common/error.h"
#include "common/strbuf.h"

/* How many runs a data set stands for: an attribute, in merged ones only. */
#define ATTR_COVERAGE_RUNS "coverage.runs"
/* End of the names of data sets with coverage. */
#define COVERAGE_DATA_SET_SUFFIX ".vcvf"

struct coverage_merge_result {
	uint64_t programs, statements, executed, runs;
	struct strbuf damage; /* sentences on what was missing; "" nothing */
};

/*
 * Merge the data sets at from into one at to, which appears whole or not at all;
 * it may be one of them. A file there is an error unless it is to be replaced; a
 * data set without coverage is one, too. result is initialized here, and its
 * damage released by the caller when 0 is returned.
 */
int coverage_merge(const char *const *from, size_t count, const char *to, bool replace,
		   struct coverage_merge_result *result, struct error *err);

#endif
