/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the jobs of a plan: conditions, allocation, steps, dispositions, spool and job log. */
#ifndef VIGIL_SESSION_JOB_JOB_H
#define VIGIL_SESSION_JOB_JOB_H

#include "common/error.h"
#include "parser/control.h"
#include "parser/plan.h"

struct checked_cards;
struct reader;

struct job_options {
	const char *spool;		 /* folder of job folders; created if missing */
	const char *root;		 /* data set root; created if missing */
	const char *map;		 /* mapping file of data sets (catalog.h), or NULL */
	const char *sign;		 /* rule for zoned signs (signs.h); NULL: the default */
	const char *const *program_path; /* folders searched after STEPLIB and JOBLIB */
	size_t program_path_count;
	const char *utilities; /* folder of vigil's own utility programs */
	const char *preload;   /* path of the step library (return codes above 255); NULL: none */
	const char *handler;   /* path of the library that calls event handlers; NULL: none */
	const char *library;   /* folder of resources if the cards name none (resource.h); NULL:
			        * none */
	const char *requests;  /* absolute path of the request store's folder; NULL: no store */
	const char *history;   /* absolute path of the history of steps; NULL: no history */
	uint64_t submitted;    /* ns since 1970 at which the submit that runs the job began */
	uint64_t pool_kb;      /* KB of the data pool if PGM=VIGIL does not set it; 0: the
			        * default */
	const struct control_deck *control; /* requests that apply to all jobs; NULL: none */
	const struct checked_cards *cards;  /* DDs VIGIL that were checked with the deck; they
					     * outlive the job */
	const struct diag_list *diags;	    /* messages of the deck's check, for JESYSMSG; NULL:
					     * none */
	FILE *log;			    /* receives a copy of the job log */
	bool progress;
	struct reader
		*reader; /* receives what is written to the internal reader (reader.h); NULL:
			  * none */
	const char *
		submitter; /* "job A (JOB00001), step S1" if the job came from the internal
			    * reader; else NULL */
	uint64_t copy_limit; /* bytes; maximum size of a data set that is copied for an update
			      * (update-copies.h) */
	uint64_t elapsed_limit; /* ns that a step may take, including waits; 0: no limit */
	uint64_t remind_after;	/* ns until the log first reports that a step is still running;
				 * 0: never */
	bool *unmeasured; /* set if a step that a request selects was not measured, or only in
			   * part; NULL: not wanted */
	bool *cancelled;   /* set if a signal cancelled the job; NULL: not wanted */
};

/*
 * Runs a job. Returns the exit status of "vigil submit": the highest return code
 * (99 if above 98), 100 for an abend or a cancelled job, 101 for a JCL error; or
 * -1 with the reason if the job's folder or log could not be written.
 */
int job_run(const struct plan_job *job, const struct job_options *options, struct error *err);

#endif
