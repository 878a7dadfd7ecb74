/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The critical path of a night: what made it end when it did. From the end of
 * the job that ended last it goes back in time, and at each moment names what
 * was waited for:
 *
 *	a step	    that ran
 *	between	    steps of a job: vigil's own work, profiles printed, data sets moved
 *	a lock	    the job waited for a data set that another had: the path goes on
 *		    in the other, at the step after which it gave the data set back; where it is
 *		    not known who that was, it goes on before the wait
 *	a queue	    the submit ran another job before: the path goes on there
 *
 * and begins where a job began by itself. Rows follow each other without a
 * gap: what they took adds up to the time from the path's begin to the night's
 * end, to the nanosecond.
 */
#ifndef VIGIL_SESSION_HISTORY_CRITICAL_PATH_H
#define VIGIL_SESSION_HISTORY_CRITICAL_PATH_H

#include "session/history/step-history.h"

enum path_kind {
	PATH_STEP,    /* a step ran */
	PATH_BETWEEN, /* a job, and no step of it */
	PATH_LOCK,    /* a job waited for a data set, and it is not known for whom */
};

/* Why a row of the path came after the one before it. */
enum path_reason {
	PATH_BEGINS, /* the job was submitted */
	PATH_NEXT,   /* it comes next in its job */
	PATH_QUEUED, /* its submit ran the other job before */
	PATH_LOCKED, /* its job waited for a data set that the other had */
};

struct path_row {
	enum path_kind kind;
	enum path_reason reason;
	uint64_t began, ended;
	const struct history_job *job;	 /* of the night */
	const struct history_step *step; /* PATH_STEP; else NULL */
	const char *dsn;		 /* PATH_LOCK, PATH_LOCKED: the data set; else NULL */
};

/* A job's wait for a data set, and who had it. */
struct path_wait {
	const struct history_job *job, *holder; /* holder NULL: not known */
	const struct history_step *step;	/* of the holder, after which it gave it back; NULL: not known */
	const struct history_delay *delay;
};

struct critical_path {
	struct path_row *rows; /* the earliest first */
	size_t count, alloc;
	struct path_wait *waits; /* of all jobs, by when they began */
	size_t wait_count, wait_alloc;
};

/* The path through the jobs and steps of a night, as history_between gives them; these are borrowed. */
void critical_path_init(struct critical_path *path, const struct history_jobs *jobs,
			const struct history_steps *steps);
void critical_path_release(struct critical_path *path);
/* How long the path is; and how much of it a step is. */
uint64_t critical_path_length(const struct critical_path *path);
uint64_t critical_path_of_step(const struct critical_path *path, const struct history_step *step);

#endif
