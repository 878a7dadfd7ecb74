/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the program of a step. */
#ifndef VIGIL_SESSION_JOB_PROGRAM_H
#define VIGIL_SESSION_JOB_PROGRAM_H

#include "session/job/allocate.h"
#include "session/job/program-search.h"

/*
 * Searches the program of a step: in the library that PGM=*.STEP.DD names, else in
 * STEPLIB or, without one, JOBLIB, then on the program path, then among vigil's
 * utilities. In each folder NAME, name, NAME.so and name.so are tried.
 */
void program_find(struct runner *runner, const struct plan_step *step,
		  const struct allocation *allocations, struct program *program);
/* Appends the folders of STEPLIB or JOBLIB, each followed by ':'. */
void program_libraries(const struct allocation *allocations, struct strbuf *sb);

#endif
