/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the stored request of a step, and reports its progress and end to the store. */
#include "common/compat.h"
#include "session/job/stored-step.h"
#include "common/clock.h"

/* Logs, once per job, that the store could not be used. */
static void log_store_failure(struct runner *runner, const char *what, const struct error *err)
{
	if (!runner->store_failed)
		job_log_message(&runner->log, SEVERITY_WARNING, 6806,
				"the request store cannot be used, so %s: %s", what,
				error_text(err));
	runner->store_failed = true;
}

/* Opens the job's store; NULL: there is none, or it cannot be used, with the reason. */
static struct request_store *open_store(struct runner *runner, int patience, struct error *err)
{
	const char *folder = runner->options->requests;

	return folder ? request_store_open(folder, false, patience, err) : NULL;
}

/* Formats the number of a job as in the spool. */
static void format_job_number(const struct runner *runner, char *text, size_t size)
{
	snprintf(text, size, "JOB%05u", runner->spool.number);
}

const struct control_request *stored_step_find(struct stored_step *stored, struct runner *runner,
					       const struct request_subject *subject,
					       uint64_t *number)
{
	struct error err = ERROR_INIT;
	struct request_store *store;
	int found = 0;

	*stored = (struct stored_step){ .runner = runner };
	format_job_number(runner, stored->job_number, sizeof(stored->job_number));
	stored->step = (struct request_step){ .job = subject->job,
					      .step = subject->step,
					      .procstep = subject->procstep,
					      .program = subject->program,
					      .job_number = stored->job_number };
	/* A store that is locked for long delays one step of the job, not each. */
	store = open_store(runner,
			   runner->store_failed ? STORE_RENEW_PATIENCE : STORE_STEP_PATIENCE, &err);
	if (store)
		found = request_claim_take(store, &stored->step, 0, &stored->claim, &err);
	request_store_close(store);
	if (*error_text(&err))
		log_store_failure(runner, "steps are measured as their own statements "
					  "request", &err);
	error_release(&err);
	RETURN_IF(found <= 0, NULL);
	runner->store_active = true;
	stored->renewed = clock_monotonic_ns();
	*number = stored->claim.number;
	job_log_message(&runner->log, SEVERITY_INFO, 6807,
			"step %s is measured by request %" PRIu64 " of %s in the request store",
			subject->step, stored->claim.number, stored->claim.user);
	return &stored->claim.deck->statements->request;
}

/* How long after a failure the store is given the area again. */
#define STORE_AREA_RETRY NSEC_PER_SEC

static void store_area(struct stored_step *stored, struct request_store *store, struct error *err)
{
	stored->area_stored =
		store && request_claim_began(store, stored->claim.number, stored->area, err) == 0;
	stored->store_area_at = clock_monotonic_ns() + STORE_AREA_RETRY;
}

void stored_step_serve(struct stored_step *stored)
{
	const uint64_t now = clock_monotonic_ns();
	const bool area = stored->area && !stored->area_stored && now >= stored->store_area_at;
	const bool lease = now - stored->renewed >= (uint64_t)REQUEST_RENEW * NSEC_PER_SEC;
	struct error err = ERROR_INIT;
	struct request_store *store;

	if (!stored->claim.number || (!area && !lease))
		return;
	store = open_store(stored->runner, STORE_RENEW_PATIENCE, &err);
	if (area)
		store_area(stored, store, &err);
	if (lease) {
		/* A renewal that failed is tried again long before the lease ends. */
		if (store)
			request_claim_renew(store, stored->claim.number, &err);
		stored->renewed = now;
	}
	request_store_close(store);
	error_release(&err);
}

void stored_step_end(struct stored_step *stored, const char *data_set, const char *why)
{
	struct error err = ERROR_INIT;
	struct request_store *store;

	if (!stored->claim.number)
		return;
	store = open_store(stored->runner, STORE_PATIENCE, &err);
	if (store)
		request_claim_end(store, &stored->claim, &stored->step, data_set, why, &err);
	else if (!*error_text(&err))
		error_set(&err, "it no longer exists");
	request_store_close(store);
	if (*error_text(&err))
		job_log_message(&stored->runner->log, SEVERITY_WARNING, 6808,
				"step %s: the request store could not be notified that %s: %s",
				stored->step.step, why, error_text(&err));
	error_release(&err);
}

void stored_step_release(struct stored_step *stored)
{
	request_claim_release(&stored->claim);
}

void stored_step_job_ends(struct runner *runner)
{
	struct error err = ERROR_INIT;
	struct request_store *store;
	char number[24];

	if (!runner->store_active)
		return;
	format_job_number(runner, number, sizeof(number));
	store = open_store(runner, STORE_PATIENCE, &err);
	if (store)
		request_claims_leave(store, number, &err);
	request_store_close(store);
	if (*error_text(&err))
		log_store_failure(runner, "its requests remain Active until this vigil ends", &err);
	error_release(&err);
}
