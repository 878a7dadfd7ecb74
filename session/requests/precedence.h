/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which request applies if several inputs select the same step: for the
 * steps of a job, for the commands run and attach, and for the programs of vigil
 * watch.
 *
 * A step may be selected by the statements for all jobs (--control, -c), by those
 * that earlier steps with PGM=VIGIL queued, by its own DD VIGIL, and by a request
 * in the store. What is passed to a command counts as its own.
 *
 * One ADD applies: the last that matches among the step's own, else among the
 * queued ones, else among those for all jobs, else the one that waits in the
 * store. Own cards that request nothing specific request a measurement with
 * defaults.
 *
 * PROFILER blocks are taken from those for all jobs, then the queued ones, then
 * the step's own, each input in its order. A FUNCTION=INIT discards everything
 * from the blocks before it; START and PAUSE apply until the next of them. A
 * filter of some kind (events, programs, count, time) in a later input replaces
 * those of its kind from earlier inputs; within one input program filters and
 * event types add up. An ADD and an INIT make one session with samples and events;
 * a block alone makes one without samples. START and PAUSE without an INIT refer
 * to the sampled session of an ADD.
 *
 * Of the sizes of the data pool the nearest applies: the step's PARM, the queue,
 * the options.
 */
#ifndef VIGIL_SESSION_REQUESTS_PRECEDENCE_H
#define VIGIL_SESSION_REQUESTS_PRECEDENCE_H

#include "session/requests/requests.h"

/* Each may be NULL or 0: no such input. Borrowed during request_resolve. */
struct request_inputs {
	const struct control_deck *general, *queued, *own;
	const struct request_subject *subject; /* NULL: a command, which every ADD matches */
	const char *parm;		       /* of the step; may contain the word PDPSIZE=n */
	uint64_t queued_kb, general_kb;	       /* KB of the data pool; 0: not given */
	/* Called, before stored, if the step's own cards have ADDs and none matches. */
	void (*unmatched)(void *argument);
	/* Returns the request that waits in the store, and its number; NULL: none. */
	const struct control_request *(*stored)(void *argument, uint64_t *number);
	void *argument; /* passed to both */
};

/* The result; texts are borrowed from the inputs' decks. */
struct request_settled {
	const struct control_request *request; /* the ADD that applies; NULL: none */
	uint64_t number;	      /* its number in its deck or the store; 0: has none */
	struct request_events events; /* what the blocks request */
	bool no_events;	  /* blocks select the step but request no events, and there is no ADD */
	uint64_t pool_kb; /* 0: the default */
	bool pool_invalid;  /* the step's PARM has an invalid PDPSIZE; the default applies */
};

/* Fills in settled; errors in the blocks go to diags. settled must be released in any case. */
void request_resolve(struct request_settled *settled, const struct request_inputs *inputs,
		    struct diag_list *diags);
/* Returns whether the step is to be measured: an ADD applies, or there is an INIT. */
bool request_settled_measures(const struct request_settled *settled);
/*
 * Copies the result into the measurement's request. *library is the result of
 * request_library for the ADD's DCCLIB, NULL without one; it and settled must stay
 * in place during the measurement.
 */
void request_settled_fill(struct request_settled *settled, struct measure_request *measure,
			  char *const *library);
void request_settled_release(struct request_settled *settled);

#endif
