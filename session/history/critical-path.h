/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The critical path of a night: what determined when it ended. From the end of the
 * job that ended last it goes back in time, and for each moment names what the
 * night waited for:
 *
 *	a step	    that ran
 *	between	    steps of a job: vigil's internal work, printing of profiles, moving of data sets
 *	a lock	    the job waited for a data set that another job had: the path continues
 *		    in the other job, at the step after which it released the data set; if
 *		    that job is unknown, the path continues before the wait
 *	a queue	    the submit ran another job before: the path continues there
 *
 * It begins where a job began without waiting. Rows follow each other without
 * gaps: their durations add up exactly to the time from the path's beginning to
 * the night's end.
 */
#ifndef VIGIL_SESSION_HISTORY_CRITICAL_PATH_H
#define VIGIL_SESSION_HISTORY_CRITICAL_PATH_H

#include "session/history/step-history.h"

enum path_kind {
	PATH_STEP,    /* a step ran */
	PATH_BETWEEN, /* within a job, but not in a step */
	PATH_LOCK,    /* a job waited for a data set of an unknown holder */
};

/* Why a row of the path follows the previous one. */
enum path_reason {
	PATH_BEGINS, /* the job was submitted */
	PATH_NEXT,   /* next in the same job */
	PATH_QUEUED, /* its submit ran the previous job first */
	PATH_LOCKED, /* its job waited for a data set that the previous job had */
};

struct path_row {
	enum path_kind kind;
	enum path_reason reason;
	uint64_t began, ended;
	const struct history_job *job;	 /* of the night */
	const struct history_step *step; /* PATH_STEP; else NULL */
	const char *dsn;		 /* PATH_LOCK, PATH_LOCKED: the data set; else NULL */
};

/* A job's wait for a data set, and the job that had it. */
struct path_wait {
	const struct history_job *job, *holder; /* holder NULL: unknown */
	const struct history_step *step;	/* of the holder, after which it released the
						 * data set; NULL: unknown */
	const struct history_delay *delay;
};

struct critical_path {
	struct path_row *rows; /* earliest first */
	size_t count, alloc;
	struct path_wait *waits; /* of all jobs, by start time */
	size_t wait_count, wait_alloc;
};

/*
 * Finds the path through the jobs and steps of a night, as returned by
 * history_between; borrowed.
 */
void critical_path_init(struct critical_path *path, const struct history_jobs *jobs,
			const struct history_steps *steps);
void critical_path_release(struct critical_path *path);
/* Return the length of the path, and the part of it that is a step, in ns. */
uint64_t critical_path_length(const struct critical_path *path);
uint64_t critical_path_of_step(const struct critical_path *path, const struct history_step *step);

#endif
