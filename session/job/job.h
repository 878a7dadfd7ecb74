/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running the jobs of a plan: conditions, allocation, steps, dispositions,
 * spool and job log.
 */
#ifndef VIGIL_SESSION_JOB_JOB_H
#define VIGIL_SESSION_JOB_JOB_H

#include "common/error.h"
#include "parser/control.h"
#include "parser/plan.h"

struct reader;

struct job_options {
	const char *spool;		 /* folder of job folders; created when missing */
	const char *root;		 /* data set root; created when missing */
	const char *map;		 /* mapping file of data sets (catalog.h), or NULL */
	const char *sign;		 /* rule of zoned signs (signs.h), or NULL: the default */
	const char *const *program_path; /* folders searched after STEPLIB and JOBLIB */
	size_t program_path_count;
	const char *utilities; /* folder of vigil's own utility programs */
	const char *preload;   /* path of the step library (return codes above 255), or NULL */
	const char *handler;   /* path of the library that calls event handlers, or NULL */
	const char *library;   /* folder of resources where the cards name none, or NULL (resource.h) */
	const char *requests;  /* folder of the request store, absolute; NULL: there is none */
	const char *history;   /* folder of the history of steps, absolute; NULL: there is to be none */
	uint64_t submitted;    /* when the submit that runs the job began, ns since 1970 */
	uint64_t pool_kb;      /* of the data pool where PGM=VIGIL says nothing; 0: the default */
	const struct control_deck *control; /* requests that hold for all jobs, or NULL */
	const struct diag_list *diags;	    /* of the deck's check, for JESYSMSG; NULL: none */
	FILE *log;			    /* the job log is copied here */
	bool progress;
	struct reader
		*reader; /* takes what is written to the internal reader (reader.h); NULL: none */
	const char *
		submitter; /* "job A (JOB00001), step S1" for a job that came from there; or NULL */
	uint64_t copy_limit; /* bytes of a data set that is copied for an update (update-copies.h) */
	uint64_t elapsed_limit; /* ns that a step may take, waiting included; 0: no limit */
	uint64_t remind_after;	/* ns until the job log says that a step is still running; 0: never */
	bool *unmeasured; /* set when a step was not measured, or not whole, though a request means it; NULL: not wanted */
	bool *cancelled;   /* set when a signal cancelled the job; NULL: not wanted */
};

/*
 * Runs a job. Returns the exit status of "vigil submit": highest return code (99
 * when above 98), 100 abend or cancelled, 101 JCL error; or -1 with the reason
 * when the job's folder or log could not be written.
 */
int job_run(const struct plan_job *job, const struct job_options *options, struct error *err);

#endif
