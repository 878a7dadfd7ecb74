/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job that is running: what the parts of session/job share. Made and ended
 * by job_run (job.c); the parts take what they need and own what they make.
 */
#ifndef VIGIL_SESSION_JOB_RUNNER_H
#define VIGIL_SESSION_JOB_RUNNER_H

#include "common/strmap.h"
#include "datasets/generations.h"
#include "datasets/lock.h"
#include "session/job/conditions.h"
#include "session/job/job.h"
#include "session/job/job-history.h"
#include "session/job/log.h"
#include "session/job/spool.h"

#include <sys/types.h>

/*
 * A data set that this job made and that is not yet at its final place, or a
 * temporary one. A NEW data set is written in a staging folder beside that
 * place and moved to its name when a step's end asks for it to be kept; a
 * generation is moved when the job ends.
 */
struct data_set {
	char *dsn;   /* "A.B.C", "&&X" */
	char *path;  /* where it is now */
	char *final; /* where it will be; NULL for a temporary data set */
	bool kept;   /* a generation that a step's end asked to keep */
	struct data_set *next;
};

/*
 * Where new data sets are made: PARENT/.vigil/JOBnnnnn.pid, in the root or in
 * a folder that the mapping file names, so that moving them to their place is
 * one renaming. Locked while this process lives: others remove what nobody locks.
 */
struct staging {
	char *parent, *path;
	int fd;
	struct staging *next;
};

/* The generations of a base as the job found them when it began. */
struct job_group {
	struct generation_group group;
	bool told; /* that the base is not defined */
	struct job_group *next;
};

struct runner {
	const struct plan_job *plan;
	const struct job_options *options;
	char **program_path; /* absolute: a step has another current folder */
	char *utilities;     /* absolute; NULL none */
	struct spool spool;
	struct job_log log;
	struct conditions conditions;

	struct catalog catalog; /* root is NULL until a data set is asked for */
	struct staging *stagings;
	bool keep_staging; /* a data set could not be moved: what it holds must not be lost */
	struct data_set *data_sets;
	struct job_group *groups;
	struct lock_list locks;
	unsigned anonymous; /* data sets without a name so far */

	uint64_t started;  /* wall clock, ns */
	int signals;	   /* signalfd of the signals that cancel a job, -1 none */
	int cancelled;	   /* the signal, 0 not cancelled */
	uint64_t cpu_used; /* ns, of all steps so far */
	bool store_holds;  /* requests of the store are Active for this job */
	bool store_failed; /* it was said that the store cannot be used */
	struct job_history history; /* what goes to the history of steps */
	bool failed;	   /* a JCL error while running: no further step runs */
	pid_t *foreign;	   /* children this process had before the job */
	size_t foreign_count;
	pid_t parent; /* who started this program, as last seen */
	const struct supervise_service *service; /* of the step that runs; NULL: none */
	int guard; /* pipe to the guard process, -1 none */
	pid_t guard_pid;
};

/*
 * "STEP" or "STEP.PROCSTEP"; "STEP3" for the third step when it has no name,
 * "STEP-2" for the second of one name. The caller frees it.
 */
char *runner_step_name(const struct runner *runner, const struct plan_step *step);

/* Adds the CPU time of a step that is over to the job's, which TIME of the JOB limits. */
void runner_use_cpu(struct runner *runner, const struct step_result *result);

#endif
