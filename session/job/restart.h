/* SPDX-License-Identifier: Apache-2.0 */
/* Where a job that failed can begin again. */
#ifndef VIGIL_SESSION_JOB_RESTART_H
#define VIGIL_SESSION_JOB_RESTART_H

#include "parser/plan.h"

/*
 * Returns the step that RESTART must name so that the failed one finds its
 * temporary data sets: the failed one itself, or the earliest that makes one which
 * it, or a step behind it, uses.
 */
const struct plan_step *restart_step(const struct plan_job *job, const struct plan_step *failed);

#endif
