/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation: before a step starts, each of its DDs becomes a path. After the step
 * the data set is kept, deleted or passed on (dispositions.c).
 */
#ifndef VIGIL_SESSION_JOB_ALLOCATE_H
#define VIGIL_SESSION_JOB_ALLOCATE_H

#include "datasets/attributes.h"
#include "session/job/runner.h"

/* One data set of a DD; the members of a concatenation form a list. */
struct allocation {
	const struct plan_dd *dd; /* borrowed */
	char *dsn;		  /* full name, generation resolved; "" if it has none */
	char *path;		  /* absolute; what the program opens */
	char *in_place; /* the original path while the step works on a copy (update-copies.h);
			 * else NULL */
	char *target;	/* the data set's file, where path is only a member or a copy */
	bool created;	/* created by this DD */
	struct attributes attributes; /* from the DD, else from the data set */
	unsigned key; /* of a path: number of the key that gives the reading order */
	bool learned; /* the attributes are those that a program of the step wrote */
	bool append;	/* DISP=MOD: path is appended to target when the step ends */
	struct allocation *next_concat;
	struct allocation *next; /* first members only: the next DD */

	/* First members only: the value of DD_name if it is not just path. */
	char *joined; /* a copy of a concatenation, or "path:path" of folders; NULL: none */
	bool copied;  /* joined is a copy, to be removed */
};

/*
 * Allocates all DDs of a step. -1: failed, the reason is in the log and everything
 * that was created is removed. The list has the order of the DDs.
 */
int allocate_step(struct runner *runner, const struct plan_step *step, const char *step_name,
		  struct allocation **list);
/* Returns the value of DD_name. */
const char *allocation_value(const struct allocation *allocation);
/* Returns the allocation of a DD name, NULL if the step has none. */
const struct allocation *allocation_find(const struct allocation *list, const char *ddname);
void allocation_free(struct allocation *list);

/* Carries out the dispositions, normal or abnormal, after the step. */
void dispose_step(struct runner *runner, struct allocation *list, bool abnormal);
/*
 * At the end of the job: moves generations into their groups, and deletes what was
 * passed and never kept, with the staging folders.
 */
void dispose_job(struct runner *runner);
/* Undoes the allocation of a step that does not run. */
void dispose_unused(struct runner *runner, struct allocation *list);

#endif
