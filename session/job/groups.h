/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generation groups of a job. The generations of a base are read once, after
 * the job has its locks and before its first step; all relative numbers of the job
 * count from them. At the end of the job its new generations are moved to their
 * names; then generations beyond a base's limit are rolled off.
 */
#ifndef VIGIL_SESSION_JOB_GROUPS_H
#define VIGIL_SESSION_JOB_GROUPS_H

#include "session/job/runner.h"

/* Reads the groups that the job's DDs name. -1 with the reason. */
int groups_read(struct runner *runner, struct error *err);
/*
 * Called at the start of a step: with GDGBIAS=STEP relative numbers count from the
 * generations that exist now, including those that earlier steps kept.
 */
void groups_step_begins(struct runner *runner);
/* Returns the generations of a base; NULL with the reason. */
const struct generation_group *group_get(struct runner *runner, const char *base,
					  struct error *err);
/* Logs, once per group, that the group has no base, when a generation of it is created. */
void group_log_undefined(struct runner *runner, const char *base);
/*
 * At the end of the job: moves kept generations to their names, and reduces groups
 * to their limits.
 */
void groups_commit(struct runner *runner);
void groups_release(struct runner *runner);

#endif
