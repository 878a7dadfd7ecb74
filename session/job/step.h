/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one step of a job. */
#ifndef VIGIL_SESSION_JOB_STEP_H
#define VIGIL_SESSION_JOB_STEP_H

#include "session/job/own-cards.h"

/*
 * Allocates, finds the program, runs it, determines its outcome and disposes;
 * everything is logged. result: how it ended; if the DDs could not be allocated,
 * the step did not run and runner->failed is set.
 */
void step_run(struct runner *runner, const struct plan_step *step, const struct own_cards *cards,
	      struct step_result *result);

/*
 * Sets limit to the seconds of CPU time that a step may use: its own TIME, and
 * what is left of the job's after used_ns; 0: no limit. -1: the job's time is used
 * up.
 */
int step_cpu_limit(const struct plan_job *job, const struct plan_step *step, uint64_t used_ns,
		   uint64_t *limit);

#endif
