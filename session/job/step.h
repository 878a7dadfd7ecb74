/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one step of a job. */
#ifndef VIGIL_SESSION_JOB_STEP_H
#define VIGIL_SESSION_JOB_STEP_H

#include "session/job/own-cards.h"

/*
 * Allocates, finds the program, runs it, judges its end, dispose; all is in the
 * log. result is how it ended; when the DDs could not be allocated it did not run
 * and runner->failed is set.
 */
void step_run(struct runner *runner, const struct plan_step *step, const struct own_cards *cards,
	      struct step_result *result);

/*
 * The seconds of CPU time that a step may use: its own TIME, and what is left
 * of the job's after used_ns; 0 without a limit. -1: the job's is used up.
 */
int step_cpu_limit(const struct plan_job *job, const struct plan_step *step, uint64_t used_ns,
		   uint64_t *limit);

#endif
