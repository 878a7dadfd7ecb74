/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One procedure of a session from all sides: of each sample and wait on whose stack it is, who
 * called it, what it had called, and at which of its lines it was.
 *
 * Where it is on a stack several times (it calls itself, or another that calls it), the caller is
 * that of the outermost, callee and line are those of the innermost. So each sample has one of
 * each, and callers, callees and lines each add up to what the procedure has with all that it
 * called.
 */
#ifndef VIGIL_PROFILE_BUTTERFLY_H
#define VIGIL_PROFILE_BUTTERFLY_H

#include "profile/call-tree.h"

#define BUTTERFLY_NONE SIZE_MAX		   /* the procedure is not on the stack */
#define BUTTERFLY_SELF (SIZE_MAX - 1)	   /* as callee: it executed or waited itself */
#define BUTTERFLY_OUTERMOST (SIZE_MAX - 1) /* as caller: there is none, or none is known */

/* What a node's rows are to the procedure. */
struct butterfly_side {
	size_t caller, callee; /* procedures, or one of the above; both NONE together */
	size_t line;	       /* number of its place in tree.places, with line where known */
};

struct butterfly {
	struct call_tree tree;	    /* of the whole session, by line */
	size_t *procedure_of;	    /* of each place of the tree, the number of its procedure */
	size_t *places;		    /* of each procedure, the first of its places */
	struct call_tree_sum *sums; /* of each procedure: own, and all counted once */
	size_t procedure_count;
	size_t procedure;	      /* chosen; NONE at first */
	struct butterfly_side *sides; /* by node, once one is chosen */
};

/* resolution as in call-places.h. */
void butterfly_init(struct butterfly *butterfly, const struct profile *profile,
		    unsigned resolution);
void butterfly_release(struct butterfly *butterfly);

/*
 * The procedures that name may mean, those with the greatest sum first; numbers is the caller's to
 * free. A name is that of the listing, of C++ also without parameters; MODULE:NAME and FILE:NAME
 * mean those of that module or source file, by base name or path. Upper and lower case differ only
 * where there is one of the name as it is written.
 */
size_t butterfly_find(const struct butterfly *butterfly, const char *name, size_t **numbers);
/* Whether there is no procedure of a name; why gets a sentence then, with the name most like it. */
bool butterfly_misses(const struct butterfly *butterfly, const char *name, struct strbuf *why);
/* Choose a procedure: sides are those of its nodes. */
void butterfly_choose(struct butterfly *butterfly, size_t procedure);

static inline const struct call_place *butterfly_place(const struct butterfly *butterfly,
						       size_t procedure)
{
	return &butterfly->tree.places.items[butterfly->places[procedure]];
}

#endif
