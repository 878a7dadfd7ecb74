/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a job brings to the history (session/history/step-history.h).
 *
 * A measured step is written at its end, with the steps before it; the rest at
 * the job's end. No step and no job fails because of it: what is locked for
 * long is tried again at the next step's end and at the job's; everything else
 * that is wrong is said once, and the job writes no more.
 */
#ifndef VIGIL_SESSION_JOB_JOB_HISTORY_H
#define VIGIL_SESSION_JOB_JOB_HISTORY_H

#include "session/history/step-history.h"
#include "session/job/conditions.h"

struct runner;

/* All zero is one that nothing is known of. */
struct job_history {
	struct history_job job;
	struct history_steps pending; /* not written yet */
	bool measured;		      /* a step was measured: a history is made */
	bool failed;		      /* it was said that the history cannot be written */
	bool was_locked;	      /* others had it: the next step waits hardly for it */
	bool waiting;		      /* the last delay has no end yet */
};

/* The job begins. */
void job_history_begin(struct runner *runner);
/* It waits for a data set; it has all. */
void job_history_waits(struct runner *runner, const char *dsn);
void job_history_reserved(struct runner *runner);
/* The data sets that no step after this one uses are given back now. */
void job_history_gives_back(struct runner *runner, size_t index);
/*
 * A step is over: name is that of the log, left what its sessions left, which goes to the history;
 * started: wall clock. Tonight beside its last nights goes to the log, too.
 */
void job_history_step(struct runner *runner, const struct step_result *result, const char *name,
		      uint64_t started, struct history_step *left);
/* The job is over, as STATE says it: "ENDED". */
void job_history_end(struct runner *runner, const char *ending);
void job_history_release(struct job_history *history);

#endif
