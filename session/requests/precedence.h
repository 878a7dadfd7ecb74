/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which request holds where several inputs may mean one step: settled here, once, for the steps
 * of a job, for the commands run and attach, and for the programs of vigil watch.
 *
 * A step may be meant by the statements for all jobs (--control, -c), by those that earlier steps
 * with PGM=VIGIL queued, by its own DD VIGIL, and by a request of the store. For a command what it
 * is given is its own.
 *
 * Of the ADDs one holds: the last that matches among its own, else of the queued ones, else of
 * those for all, else the one that waits in the store. Its own cards that ask for nothing ask for
 * a measurement as it comes.
 *
 * The PROFILER blocks are taken from those for all, then the queued ones, then its own, each input
 * in its own order: a FUNCTION=INIT ends all that the blocks before it said; START and PAUSE hold
 * until the next of them; a filter of a kind (events, programs, count, time) in a later input
 * takes the place of those of its kind in earlier ones, and within one input program filters and
 * event types add up. An ADD and an INIT make one session with samples and events; a block alone
 * makes one without samples. START and PAUSE without an INIT mean the sampled session of an ADD.
 *
 * Of the sizes of the data pool the nearest holds: the step's PARM, the queue, what the options
 * say.
 */
#ifndef VIGIL_SESSION_REQUESTS_PRECEDENCE_H
#define VIGIL_SESSION_REQUESTS_PRECEDENCE_H

#include "session/requests/requests.h"

/* All may be NULL or 0: there is no such input. Borrowed while a step is settled. */
struct request_inputs {
	const struct control_deck *general, *queued, *own;
	const struct request_subject *subject; /* NULL: a command's, which every ADD means */
	const char *parm;		       /* of the step, where PDPSIZE=n is a word */
	uint64_t queued_kb, general_kb;	       /* sizes of the data pool */
	/* Its own cards have ADDs, and none means the step; said before stored is asked. */
	void (*unmatched)(void *argument);
	/* Returns the request of the store that waits, and its number; NULL when none does. */
	const struct control_request *(*stored)(void *argument, uint64_t *number);
	void *argument; /* of both */
};

/* What holds; texts are borrowed from the inputs' decks. */
struct request_settled {
	const struct control_request *request; /* the ADD; NULL: none holds */
	uint64_t number;	      /* of it, in its deck or the store; 0 when nothing was said */
	struct request_events events; /* what the blocks ask for */
	bool lacking;	  /* blocks are meant for it that ask for no events, and there is no ADD */
	uint64_t pool_kb; /* 0: the default */
	bool pool_wrong;  /* the step's PARM has a PDPSIZE that is none; the default holds */
};

/* Settles it; what is wrong with the blocks is in diags. To be released in any case. */
void request_settle(struct request_settled *settled, const struct request_inputs *inputs,
		    struct diag_list *diags);
/* Returns whether a step is to be measured at all: an ADD holds, or there is an INIT. */
bool request_settled_measures(const struct request_settled *settled);
/*
 * Puts it into the measurement's request. *library is what request_library said of
 * the ADD's DCCLIB, and NULL without; it and settled stay where they are as long
 * as the measurement.
 */
void request_settled_fill(struct request_settled *settled, struct measure_request *measure,
			  char *const *library);
void request_settled_release(struct request_settled *settled);

#endif
