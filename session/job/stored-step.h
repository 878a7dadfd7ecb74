/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step and the request store: the request that waited for the step, and what the
 * store is notified of during and after its measurement.
 *
 * A store that cannot be used stops nothing: this is logged once per job, and
 * steps are measured as their cards say.
 */
#ifndef VIGIL_SESSION_JOB_STORED_STEP_H
#define VIGIL_SESSION_JOB_STORED_STEP_H

#include "session/job/runner.h"
#include "session/requests/requests.h"
#include "session/store/request-store.h"

struct stored_step {
	struct runner *runner;
	struct request_step step;
	char job_number[24];
	struct request_claim claim; /* number 0: none */
	const char *area;	    /* how the session is paused; NULL not known */
	bool area_stored;	    /* the store has the area */
	uint64_t store_area_at;	    /* ns monotonic; not to be tried before */
	uint64_t renewed;	    /* ns monotonic; when the lease was last renewed, or tried to be */
};

/*
 * Claims the request that waits for a step, which becomes Active; NULL: none.
 * Borrowed until the release.
 */
const struct control_request *stored_step_find(struct stored_step *stored, struct runner *runner,
					       const struct request_subject *subject,
					       uint64_t *number);
/* Keeps the store informed about a running session. Called often; only some calls do something. */
void stored_step_serve(struct stored_step *stored);
/*
 * Reports to the store that the step is over, with its sample data set, or NULL
 * and why there is none.
 */
void stored_step_end(struct stored_step *stored, const char *data_set, const char *why);
void stored_step_release(struct stored_step *stored);
/* Releases the job's requests when the job is over. */
void stored_step_job_ends(struct runner *runner);

#endif
