/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a job writes to the history (session/history/step-history.h). A measured
 * step is written at its end, together with the steps before it; the rest at the
 * job's end. An error never makes a step or job fail: a history that is locked for
 * long is tried again at the end of the next step and of the job; any other error
 * is logged once, and the job writes no more.
 */
#ifndef VIGIL_SESSION_JOB_JOB_HISTORY_H
#define VIGIL_SESSION_JOB_JOB_HISTORY_H

#include "session/history/step-history.h"
#include "session/job/conditions.h"

struct runner;

/* All zero: nothing is known yet. */
struct job_history {
	struct history_job job;
	struct history_steps pending; /* steps not written yet */
	bool measured;		      /* a step was measured, so the history is created if
				       * missing */
	bool failed;		      /* it was logged that the history cannot be written */
	bool was_locked;	      /* another process had it locked: the next step waits only
				       * briefly */
	bool waiting;		      /* the last delay has not ended yet */
};

/* Records that the job begins. */
void job_history_begin(struct runner *runner);
/* Record that the job waits for a data set, and that it has all of them. */
void job_history_waits(struct runner *runner, const char *dsn);
void job_history_reserved(struct runner *runner);
/* Records that the data sets which no step after step index uses are released now. */
void job_history_gives_back(struct runner *runner, size_t index);
/*
 * Records that a step is over. name: as in the log; left: what its sessions
 * produced, taken over by the history; started: wall clock. Also logs how tonight
 * compares with its last nights.
 */
void job_history_step(struct runner *runner, const struct step_result *result, const char *name,
		      uint64_t started, struct history_step *left);
/* Records that the job is over; ending is the word of STATE, "ENDED". */
void job_history_end(struct runner *runner, const char *ending);
void job_history_release(struct job_history *history);

#endif
