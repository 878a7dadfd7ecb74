/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generation groups of a job. The generations of a base are looked up
 * once, when the job holds its locks and before its first step: all relative
 * numbers of the job count from them. Generations that the job makes are
 * moved to their names when it ends; then what is beyond a base's limit goes.
 */
#ifndef VIGIL_SESSION_JOB_GROUPS_H
#define VIGIL_SESSION_JOB_GROUPS_H

#include "session/job/runner.h"

/* Looks up the groups that the job's DDs name. -1 with the reason. */
int groups_fix(struct runner *runner, struct error *err);
/*
 * A step begins: with GDGBIAS=STEP relative numbers count from the
 * generations that are there now, with those that earlier steps kept.
 */
void groups_step_begins(struct runner *runner);
/* Returns the generations of a base; NULL with the reason. */
const struct generation_group *group_find(struct runner *runner, const char *base,
					  struct error *err);
/* Says once for each group that it has no base, when a generation of it is made. */
void group_tell_undefined(struct runner *runner, const char *base);
/* The job ends: generations that are kept go to their names, and groups are cut to their limits. */
void groups_commit(struct runner *runner);
void groups_release(struct runner *runner);

#endif
