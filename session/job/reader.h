/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The internal reader: what a step writes to SYSOUT=(class,INTRDR) is a deck,
 * whose jobs run after those submitted before it. The queue belongs to the caller
 * that runs the jobs (struct job_options).
 *
 * Statements to the reader itself are cards with nothing else on them: EOF
 * separates decks, DEL discards what was written since the last EOF; PURGE is the
 * same as DEL.
 */
#ifndef VIGIL_SESSION_JOB_READER_H
#define VIGIL_SESSION_JOB_READER_H

#include "session/job/allocate.h"

/*
 * Maximum number of decks taken from the jobs of one run; more are refused, so
 * that jobs which submit themselves end.
 */
#define READER_LIMIT 100

/*
 * The writer name of such a SYSOUT, and the suffix of the spool file STEP.INTRDR,
 * to which the command SUBMIT of IKJEFT01 appends, whatever DDs the step has.
 */
#define READER_NAME "INTRDR"

struct submitted {
	char *name; /* path of the SYSOUT file, for messages */
	char *by;   /* "job A (JOB00001), step S1" */
	struct strbuf cards;
};

struct reader {
	struct submitted *items; /* in running order; those that have run stay in the list */
	size_t count, alloc;
	bool refused; /* a deck was not taken; the log says so */
};

/* Called after the step: queues what it wrote to the internal reader, or logs why not. */
void reader_take(struct runner *runner, const char *step_name, const struct allocation *list,
		 bool abended);
void reader_release(struct reader *reader);

#endif
