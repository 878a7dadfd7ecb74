/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A step and the request store: the request that waited for it, and what the
 * store is told while it is measured and when it is over.
 *
 * A store that cannot be used stops nothing: the log says so once a job, and
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
	bool told;		    /* the store knows the area */
	uint64_t renewed;	    /* monotonic */
};

/*
 * Returns the request that waits for a step, which is Active then; NULL none.
 * Borrowed until the release.
 */
const struct control_request *stored_step_find(struct stored_step *stored, struct runner *runner,
					       const struct request_subject *subject,
					       uint64_t *number);
/* Tell the store what it needs to know of a session that runs. Now and then something is done. */
void stored_step_serve(struct stored_step *stored);
/* The step is over: its sample data set, or NULL and why there is none. */
void stored_step_end(struct stored_step *stored, const char *data_set, const char *why);
void stored_step_release(struct stored_step *stored);
/* The job is over. */
void stored_step_job_ends(struct runner *runner);

#endif
