/* SPDX-License-Identifier: Apache-2.0 */
/* Where a failed job can be restarted. */
#ifndef VIGIL_SESSION_JOB_RESTART_H
#define VIGIL_SESSION_JOB_RESTART_H

#include "parser/plan.h"

/*
 * Returns the step that RESTART must name so that the failed one finds its
 * temporary data sets: the failed step itself, or the earliest that creates one
 * which it, or a later step, uses.
 */
const struct plan_step *restart_step(const struct plan_job *job, const struct plan_step *failed);

#endif
