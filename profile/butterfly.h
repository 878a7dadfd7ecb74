/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One procedure of a session and what surrounds it: for each sample and wait with
 * the procedure on its stack, its caller, the callee it had called, and the line
 * it was at.
 *
 * If the procedure is on a stack several times (direct or indirect recursion), the
 * caller is that of the outermost occurrence, callee and line are those of the
 * innermost. So each sample has one of each, and callers, callees and lines each
 * add up to the procedure's total including callees.
 */
#ifndef VIGIL_PROFILE_BUTTERFLY_H
#define VIGIL_PROFILE_BUTTERFLY_H

#include "profile/call-tree.h"

#define BUTTERFLY_NONE SIZE_MAX		   /* the procedure is not on the stack */
#define BUTTERFLY_SELF (SIZE_MAX - 1)	   /* as callee: the procedure itself executed or waited */
#define BUTTERFLY_OUTERMOST (SIZE_MAX - 1) /* as caller: there is none, or it is unknown */

/* How the rows of a node relate to the procedure. */
struct butterfly_side {
	size_t caller, callee; /* procedures, or one of the above; BUTTERFLY_NONE: both are */
	size_t line;	       /* number in tree.places of the place it was at, with line if
			        * known */
};

struct butterfly {
	struct call_tree tree;	    /* of the whole session, by line */
	size_t *procedure_of;	    /* by place of the tree: number of its procedure */
	size_t *places;		    /* by procedure: the first of its places */
	struct call_tree_sum *sums; /* by procedure: self, and total with recursion counted once */
	size_t procedure_count;
	size_t procedure;	      /* the one chosen; BUTTERFLY_NONE at first */
	struct butterfly_side *sides; /* by node; set once a procedure is chosen */
};

/* resolution as in call-places.h. */
void butterfly_init(struct butterfly *butterfly, const struct profile *profile,
		    unsigned resolution);
void butterfly_release(struct butterfly *butterfly);

/*
 * Finds the procedures that name may mean, largest total first; the caller frees
 * numbers. A name is spelled as in the listing; C++ names also match without
 * parameters; MODULE:NAME and FILE:NAME select those of that module or source
 * file, by base name or path. Case is ignored unless a name matches exactly as
 * written.
 */
size_t butterfly_find(const struct butterfly *butterfly, const char *name, size_t **numbers);
/*
 * Returns whether no procedure has this name; why then gets a sentence that
 * suggests the most similar name.
 */
bool butterfly_has_none(const struct butterfly *butterfly, const char *name, struct strbuf *why);
/* Chooses a procedure and fills sides for the tree's nodes. */
void butterfly_choose(struct butterfly *butterfly, size_t procedure);

static inline const struct call_place *butterfly_place(const struct butterfly *butterfly,
						       size_t procedure)
{
	return &butterfly->tree.places.items[butterfly->places[procedure]];
}

#endif
