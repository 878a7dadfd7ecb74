/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guard of a job: a small process that outlives vigil only to see that
 * vigil was killed. Then it ends the step that was running, with all of its
 * process group and what it put into others, and says in STATE and JESMSGLG that the job was killed.
 */
#ifndef VIGIL_SESSION_JOB_GUARD_H
#define VIGIL_SESSION_JOB_GUARD_H

#include "session/job/runner.h"

/* Starts it; without one a job runs too, so a failure is only noted in the log. */
void guard_start(struct runner *runner);
/* Tell it which step is running; 0: none. */
void guard_step(const struct runner *runner, pid_t pid);
/* The job is over: the guard goes. */
void guard_end(struct runner *runner);

#endif
