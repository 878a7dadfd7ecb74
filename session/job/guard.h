/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The guard of a job: a small process that outlives vigil only if vigil is killed.
 * Then it ends the running step, with its whole process group and the processes
 * the step put into other groups, and records in STATE and JESMSGLG that the job
 * was killed.
 */
#ifndef VIGIL_SESSION_JOB_GUARD_H
#define VIGIL_SESSION_JOB_GUARD_H

#include "session/job/runner.h"

/* Starts the guard. A job also runs without one, so a failure is only logged. */
void guard_start(struct runner *runner);
/* Notifies the guard which step is running; 0: none. */
void guard_step(const struct runner *runner, pid_t pid);
/* Ends the guard when the job is over. */
void guard_end(struct runner *runner);

#endif
