/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A running job: state shared by the parts of session/job. Created and ended by
 * job_run (job.c); each part owns what it creates.
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
 * A data set that this job created and that is not yet at its final path, or a
 * temporary one. A NEW data set is written in a staging folder next to its final
 * path and moved to its name when the end of a step keeps it; a generation is
 * moved at the end of the job.
 */
struct data_set {
	char *dsn;   /* "A.B.C", "&&X" */
	char *path;  /* current path */
	char *final; /* final path; NULL: a temporary data set */
	bool kept;   /* a generation that the end of a step keeps */
	struct data_set *next;
};

/*
 * Where new data sets are created: PARENT/.vigil/JOBnnnnn.pid, in the root or in a
 * folder that the mapping file names, so that moving them to their final path is
 * one rename. Locked while this process lives: other jobs remove folders that are
 * not locked.
 */
struct staging {
	char *parent, *path;
	int fd;
	struct staging *next;
};

/* The generations of a base as they were at the start of the job. */
struct job_group {
	struct generation_group group;
	bool undefined_logged; /* it was logged that the base is not defined */
	struct job_group *next;
};

struct runner {
	const struct plan_job *plan;
	const struct job_options *options;
	char **program_path; /* absolute, because a step has a different current folder */
	char *utilities;     /* absolute; NULL: none */
	struct spool spool;
	struct job_log log;
	struct conditions conditions;

	struct catalog catalog; /* root is NULL until a data set is used */
	struct staging *stagings;
	bool keep_staging; /* a data set could not be moved; its content must not be lost */
	struct data_set *data_sets;
	struct job_group *groups;
	struct lock_list locks;
	unsigned anonymous; /* number of unnamed data sets so far */

	uint64_t started;  /* ns since 1970 */
	int signals;	   /* signalfd of the signals that cancel a job; -1: none */
	int cancelled;	   /* the signal; 0: not cancelled */
	uint64_t cpu_used; /* ns, of all steps so far */
	bool store_active;  /* requests of the store are Active for this job */
	bool store_failed; /* it was logged that the store cannot be used */
	struct job_history history; /* what is written to the history of steps */
	bool failed;	   /* JCL error while running: no further step runs */
	pid_t *preexisting;	   /* children of this process from before the job */
	size_t foreign_count;
	pid_t parent; /* pid of this program's parent, as last seen */
	const struct supervise_service *service; /* of the running step; NULL: none */
	int guard; /* pipe to the guard process; -1: none */
	pid_t guard_pid;
};

/*
 * Returns "STEP" or "STEP.PROCSTEP"; "STEP3" for an unnamed third step, "STEP-2"
 * for the second step of the same name. The caller frees it.
 */
char *runner_step_name(const struct runner *runner, const struct plan_step *step);

/* Adds the CPU time of a finished step to the job's total, which TIME of the JOB limits. */
void runner_use_cpu(struct runner *runner, const struct step_result *result);

#endif
