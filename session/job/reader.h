/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The internal reader: what a step writes to SYSOUT=(class,INTRDR) is a deck,
 * whose jobs are run after those that were submitted before it. The queue
 * belongs to the one who runs the jobs (struct job_options).
 *
 * Of the statements to the reader itself, a card with nothing but the
 * statement on it, EOF parts decks and DEL takes back what came since the
 * last EOF; PURGE is as DEL.
 */
#ifndef VIGIL_SESSION_JOB_READER_H
#define VIGIL_SESSION_JOB_READER_H

#include "session/job/allocate.h"

/* Decks that are taken from jobs of one run; more are refused: jobs that submit themselves end. */
#define READER_LIMIT 100

/*
 * The writer of such a SYSOUT, and the ending of the spool's file STEP.INTRDR,
 * to which the command SUBMIT of IKJEFT01 appends, whatever DDs the step has.
 */
#define READER_NAME "INTRDR"

struct submitted {
	char *name; /* path of the SYSOUT file, for messages */
	char *by;   /* "job A (JOB00001), step S1" */
	struct strbuf cards;
};

struct reader {
	struct submitted *items; /* in the order they are to run; those that ran stay */
	size_t count, alloc;
	bool refused; /* a deck was not taken: said in the log */
};

/* The step has ended: queue what it wrote to the internal reader, or say why not. */
void reader_take(struct runner *runner, const char *step_name, const struct allocation *list,
		 bool abended);
void reader_release(struct reader *reader);

#endif
