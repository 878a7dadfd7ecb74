/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who called whom: the tree of call stacks of a session, or of a part of it, with the CPU samples
 * and waits of each node.
 *
 * A node is a procedure below its callers: samples whose stacks have the same procedures from the
 * outermost frame to the innermost are one node, whichever lines they were at. Frames are those of
 * the attribution: libraries, the kernel and the frames that every program begins with are there as
 * real procedures; what data collectors named stands in place of the interpreter's frames; in the
 * native view (profile_show_native) it is what was walked. A procedure that was inlined is a node
 * below the one it was inlined into, where names know it. A stack that is missing is a node
 * of module .SYSTEM, section .UNKNOWN.
 *
 * own is what the procedure itself executed and waited, all is own and that of all nodes below. So the
 * root's all is the sum of all rows selected: for the whole session samples, charged and total_wait
 * of the profile.
 *
 * Recursion: a chain of up to CALL_TREE_PERIOD procedures that calls itself again is shown once. A
 * stack "walk walk walk leaf" is the node "walk leaf"; "expr term expr term number" is "expr term
 * number". No procedure is lost by that: all that is on a stack is on the path of its node.
 * keep_recursion shows every level instead.
 *
 * What procedures add up to, wherever in the tree they are, is in sums: own, and all counted once
 * for a sample or wait however often the procedure is on its stack.
 *
 * A tree refers to its profile, which must live longer and keep its view.
 */
#ifndef VIGIL_PROFILE_CALL_TREE_H
#define VIGIL_PROFILE_CALL_TREE_H

#include "profile/call-places.h"

enum call_tree_amount {
	CALL_TREE_SAMPLES,    /* of CPU time; profile_period ns each */
	CALL_TREE_WAITS,      /* how many waits */
	CALL_TREE_WAIT_TOTAL, /* ns waited, over all tasks */
	CALL_TREE_CHARGED,    /* ns of the run in which no task executed because of them */
	CALL_TREE_AMOUNTS
};

enum call_tree_kind {
	CALL_TREE_ROOT,
	CALL_TREE_TASK,	       /* below the root, by thread */
	CALL_TREE_TRANSACTION, /* below the root, by transaction */
	CALL_TREE_PROCEDURE,
};

/* What stands below the root. */
enum call_tree_by {
	CALL_TREE_BY_NONE, /* outermost procedures */
	CALL_TREE_BY_TASK,
	CALL_TREE_BY_TRANSACTION,
};

#define CALL_TREE_NONE SIZE_MAX
#define CALL_TREE_PERIOD 8

/* What a tree is made of; all zero: CPU and waits of the whole session, callers above callees. */
struct call_tree_options {
	bool keep_recursion;
	bool by_line;	     /* lines of a procedure are nodes of their own */
	unsigned resolution; /* as in call-places.h */
	enum call_tree_by by;
	bool no_cpu, no_waits;
	bool one_task, one_transaction; /* only those of task, of transaction (0: of none) */
	uint64_t task, transaction;
};

/* A parent has a lower number than its children; node 0 is the root. */
struct call_tree_node {
	enum call_tree_kind kind;
	bool inlined;	/* wherever it was met it was inlined into its parent */
	bool recursive; /* levels of recursion are folded into it */
	size_t parent;	/* CALL_TREE_NONE of the root */
	size_t level;	/* 0 the root */
	size_t place;	/* number in places; CALL_TREE_NONE of other kinds */
	uint64_t id;	/* of the task or the transaction */
	size_t child;	/* the first, CALL_TREE_NONE there is none: that with the greatest weight */
	size_t next;	/* the next child of the same parent, as above */
	uint64_t own[CALL_TREE_AMOUNTS], all[CALL_TREE_AMOUNTS];
};

struct call_tree_sum {
	uint64_t own[CALL_TREE_AMOUNTS], all[CALL_TREE_AMOUNTS];
};

struct call_tree {
	const struct profile *profile;
	struct call_tree_options options;
	struct call_places places;
	struct call_tree_node *nodes;
	size_t count, alloc;
	struct call_tree_sum *sums; /* by number of place */
	size_t *cpu_nodes;  /* of each row of profile->cpu, the node it ends at; CALL_TREE_NONE: not
			       selected */
	size_t *wait_nodes; /* the same of profile->waits */
};

/* options NULL: all zero. */
void call_tree_init(struct call_tree *tree, const struct profile *profile,
		    const struct call_tree_options *options);
void call_tree_release(struct call_tree *tree);

static inline const struct call_place *call_tree_place(const struct call_tree *tree, size_t node)
{
	return &tree->places.items[tree->nodes[node].place];
}
/* Append what a node is called: a procedure, task or transaction; "" for the root. */
void call_tree_label(const struct call_tree *tree, size_t node, struct strbuf *sb);
/*
 * The time amounts stand for, ns: CPU time as if used on one processor, and the time charged to
 * waits. Children stand in falling order of it, then by call_place_compare or id.
 */
uint64_t call_tree_weight(const struct profile *profile, const uint64_t amounts[CALL_TREE_AMOUNTS]);
/*
 * The variance of WAIT_TOTAL of each node's own (NULL: not asked for) and all, square microseconds
 * (wait-variance.h). Arrays are of count members. The margin of a share of samples is
 * profile_share_margin.
 */
void call_tree_variances(const struct call_tree *tree, uint64_t *own, uint64_t *all);

#endif
