/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation: each DD of a step becomes a path before the step starts, and
 * is kept, deleted or passed on after it (dispositions.c).
 */
#ifndef VIGIL_SESSION_JOB_ALLOCATE_H
#define VIGIL_SESSION_JOB_ALLOCATE_H

#include "datasets/attributes.h"
#include "session/job/runner.h"

/* One data set of a DD; the members of a concatenation are a list. */
struct allocation {
	const struct plan_dd *dd; /* borrowed */
	char *dsn;		  /* full name, generation resolved; "" when it has none */
	char *path;		  /* absolute: what the program opens */
	char *in_place; /* what path was, while the step works on a copy (update-copies.h); NULL */
	char *target;	/* the data set's own file, where path is only a part of it or a copy */
	bool created;	/* by this DD */
	struct attributes attributes; /* of the DD, else of the data set */
	unsigned key; /* of a path: number of the key in whose order records are read */
	bool learned; /* the attributes are what a program of the step wrote */
	bool append;	/* DISP=MOD: path is appended to target when the step ends */
	struct allocation *next_concat;
	struct allocation *next; /* first members only */

	/* First members only: what DD_name says when it is not path alone. */
	char *joined; /* a copy of a concatenation, or "path:path" of folders; NULL */
	bool copied;  /* joined is a copy, to be removed */
};

/*
 * Allocates all DDs of a step, or says in the log why not (-1): then nothing that
 * was made stays. The list is in the order of the DDs.
 */
int allocate_step(struct runner *runner, const struct plan_step *step, const char *step_name,
		  struct allocation **list);
/* What DD_name says. */
const char *allocation_value(const struct allocation *allocation);
/* Returns the allocation of a DD name, NULL when the step has none. */
const struct allocation *allocation_find(const struct allocation *list, const char *ddname);
void allocation_free(struct allocation *list);

/* After the step: dispositions, normal or abnormal. */
void dispose_step(struct runner *runner, struct allocation *list, bool abnormal);
/*
 * When the job ends: generations enter their groups; what was passed and
 * never kept goes, with the staging folders.
 */
void dispose_job(struct runner *runner);
/* Undoes the allocation of a step that does not run. */
void dispose_unused(struct runner *runner, struct allocation *list);

#endif
