/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measured steps: which steps are measured, and the session around one. A step is
 * measured if
 * - a request matches it: an ADD, or a PROFILER block with INIT, from its own cards in DD VIGIL,
 *   queued by an earlier step, or valid for all jobs (session/requests/precedence.h says how
 *   these combine);
 * - a request waits for it in the request store; or
 * - it has a DD VIGIL without a request.
 *
 * A step of the program VIGIL, which queues requests for others, is measured by
 * its own cards only. A measurement that fails never stops the step: the log says
 * what is lost.
 */
#ifndef VIGIL_SESSION_JOB_MEASURED_H
#define VIGIL_SESSION_JOB_MEASURED_H

#include "session/history/step-history.h"
#include "session/job/allocate.h"
#include "session/job/own-cards.h"
#include "session/job/stored-step.h"
#include "session/measure/measure.h"
#include "session/requests/precedence.h"
#include "session/requests/queue.h"

struct measured {
	struct runner *runner;
	const struct plan_step *step;
	struct request_subject subject; /* the step as requests see it */
	const char *step_name;
	const struct control_deck *own; /* the step's own cards, DD VIGIL; NULL: none */
	struct request_queue queue;	/* requests queued by earlier steps */
	struct stored_step stored;	/* the request in the store that waited for the step */
	struct request_settled settled;	/* the combined request that applies to the step */
	struct measure *measure;	/* NULL: not measured, or given up */
	struct measure_request request;
	char *output, *number_text, *command, *library;
	char *trace; /* where TRACE=ON writes: the step's VIGTRACE in the spool */
	struct sampler_file *files;
	bool followed;	       /* the session is open */
	char *failure;	       /* why there is no session; NULL: not known */
	struct strmap written; /* paths of the listings printed so far */
	char *finding;	       /* the first finding of the first session that has one; NULL: none */
	struct history_step left; /* what its sessions contribute to the history */
	struct strmap collectors_logged;    /* data collectors already reported in the log */
};

/* Prepares the session if the step is to be measured; returns whether it is. */
bool measured_begin(struct measured *measured, struct runner *runner, const struct plan_step *step,
		    const char *step_name, const struct own_cards *cards,
		    const struct allocation *allocations, const char *program);
/* Attaches the session to the step's process, which waits before its exec. */
void measured_follow(struct measured *measured, pid_t pid);
/* Serves the session for at most timeout_ms (supervise_service.serve). */
void measured_serve(void *measured, int timeout_ms);
/* Returns whether a process belongs to the session and not to the step (supervise_service.owns). */
bool measured_owns(void *measured, pid_t pid);
/* Clears the progress line before something is logged. */
void measured_clear_progress(struct measured *measured);

struct step_outcome;
struct step_usage;
/* Called after the step: closes the session and prints its Performance Profile. */
void measured_end(struct measured *measured, const struct step_outcome *outcome,
		  const struct step_usage *usage);
void measured_release(struct measured *measured);

#endif
