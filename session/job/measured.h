/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measured steps: which they are, and the session around one.
 *
 * A step is measured when a request matches it - an ADD or a PROFILER block
 * with INIT of its own cards in DD VIGIL, one that a step before it queued, or one
 * that holds for all jobs (session/requests/precedence.h says how they go together) - or when
 * one waits for it in the request store, or it has a DD VIGIL without a request. A step of the program VIGIL, which gives requests to
 * others, is measured by its own cards only. A measurement that
 * fails never stops the step: the log says what is lost.
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
	struct request_subject subject; /* the same for requests */
	const char *step_name;
	const struct control_deck *own; /* of DD VIGIL; NULL none */
	struct request_queue queue;	/* of steps before this one */
	struct stored_step stored;	/* the request of the store that waited for the step */
	struct request_settled settled;	/* what of all holds for it */
	struct measure *measure;	/* NULL: not measured, or given up */
	struct measure_request request;
	char *output, *number_text, *command, *library;
	char *trace; /* where TRACE=ON goes: the spool's VIGTRACE of the step */
	struct sampler_file *files;
	bool followed;	       /* the session is open */
	char *failure;	       /* why there is none, NULL not known */
	struct strmap written; /* paths of the listings printed so far */
	char *finding;	       /* the first one of the first session that has any; NULL: none */
	struct history_step left; /* what its sessions leave to the history */
	struct strmap told;    /* data collectors of which the log has told what became of them */
};

/* Prepares the session when the step is to be measured; returns whether it is. */
bool measured_begin(struct measured *measured, struct runner *runner, const struct plan_step *step,
		    const char *step_name, const struct own_cards *cards,
		    const struct allocation *allocations, const char *program);
/* The step's process waits before its exec. */
void measured_follow(struct measured *measured, pid_t pid);
/* Serves the session for at most timeout_ms (a supervise_service). */
void measured_serve(void *measured, int timeout_ms);
/* Returns whether a process is the session's and not the step's (another). */
bool measured_owns(void *measured, pid_t pid);
/* Takes the progress line away before something is logged. */
void measured_quiet(struct measured *measured);

struct step_outcome;
struct step_usage;
/* The step is over: close the session and print its Performance Profile. */
void measured_end(struct measured *measured, const struct step_outcome *outcome,
		  const struct step_usage *usage);
void measured_release(struct measured *measured);

#endif
