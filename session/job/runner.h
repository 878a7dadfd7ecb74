/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job that is running: what the parts of session/job share. Made and ended
 * by job_run (job.c); the parts take what they need and own what they make.
 */
#ifndef VIGIL_SESSION_JOB_RUNNER_H
#define VIGIL_SESSION_JOB_RUNNER_H

#include "common/strmap.h"
#include "session/job/conditions.h"
#include "session/job/job.h"
#include "session/datasets/lock.h"
#include "session/job/log.h"
#include "session/job/spool.h"

#include <sys/types.h>

/*
 * A data set that this job made and that is not yet at its final place, or a
 * temporary one. A NEW data set is written in the root's staging folder and
 * moved to its name when a step's end asks for it to be kept.
 */
struct data_set {
	char *dsn;   /* "A.B.C", "&&X" */
	char *path;  /* where it is now */
	char *final; /* where it will be; NULL for a temporary data set */
	struct data_set *next;
};

/* The highest generation of a group when the job first asked: relative numbers are fixed for a job.
 */
struct generation_base {
	char *base;
	unsigned highest;
	struct generation_base *next;
};

struct runner {
	const struct plan_job *plan;
	const struct job_options *options;
	char **program_path; /* absolute: a step has another current folder */
	char *utilities;     /* absolute; NULL none */
	struct spool spool;
	struct job_log log;
	struct conditions conditions;

	char *root;	/* absolute path of the data set root; NULL until a data set is asked for */
	char *staging;	/* folder of data sets in the making; NULL until needed */
	int staging_fd; /* locked while this process lives, so that others know it is in use */
	bool keep_staging; /* a data set could not be moved: what it holds must not be lost */
	struct data_set *data_sets;
	struct generation_base *generations;
	struct lock_list locks;
	unsigned anonymous; /* data sets without a name so far */

	int signals;	   /* signalfd of the signals that cancel a job, -1 none */
	int cancelled;	   /* the signal, 0 not cancelled */
	uint64_t cpu_used; /* ns, of all steps so far */
	bool failed;	   /* a JCL error while running: no further step runs */
	pid_t *foreign;	   /* children this process had before the job */
	size_t foreign_count;
	int guard; /* pipe to the guard process, -1 none */
	pid_t guard_pid;
};

/*
 * "STEP" or "STEP.PROCSTEP"; "STEP3" for the third step when it has no name,
 * "STEP-2" for the second of one name. The caller frees it.
 */
char *runner_step_name(const struct runner *runner, const struct plan_step *step);

#endif
