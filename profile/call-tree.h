/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who called whom: the tree of call stacks of a session, or of a part of it, with
 * the CPU samples and waits of each node.
 *
 * A node is a procedure under its callers: samples whose stacks have the same
 * procedures from the outermost frame to the innermost share one node, regardless
 * of lines. Frames are those of the attribution: libraries, the kernel and the
 * start-up frames of every program appear as real procedures; places that data
 * collectors named replace the interpreter's frames; the native view
 * (profile_show_native) has the frames as walked. An inlined procedure is a node
 * below the one it was inlined into, if names tell. A missing stack is a node of
 * module .SYSTEM, section .UNKNOWN.
 *
 * own is what the procedure itself executed and waited; all is own plus that of
 * all nodes below. So the root's all is the sum of all selected rows: for the
 * whole session samples, charged and total_wait of the profile.
 *
 * Recursion: a chain of up to CALL_TREE_PERIOD procedures that repeats is shown
 * once. A stack "walk walk walk leaf" is the node "walk leaf"; "expr term expr
 * term number" is "expr term number". No procedure is lost: everything on a stack
 * is on the path of its node. keep_recursion shows every level instead.
 *
 * sums has the totals per procedure, wherever it is in the tree: own, and all,
 * which counts a sample or wait once however often the procedure is on its stack.
 *
 * A tree refers to its profile, which must outlive it and keep its view.
 */
#ifndef VIGIL_PROFILE_CALL_TREE_H
#define VIGIL_PROFILE_CALL_TREE_H

#include "profile/call-places.h"

enum call_tree_amount {
	CALL_TREE_SAMPLES,    /* of CPU time; profile_period ns each */
	CALL_TREE_WAITS,      /* number of waits */
	CALL_TREE_WAIT_TOTAL, /* ns waited, summed over all tasks */
	CALL_TREE_CHARGED,    /* ns of the run in which no task executed because of these waits */
	CALL_TREE_PLACED,  /* the part of SAMPLES of profile_cpu_placed, for margins */
	CALL_TREE_AMOUNTS
};

enum call_tree_kind {
	CALL_TREE_ROOT,
	CALL_TREE_TASK,	       /* below the root, per thread */
	CALL_TREE_TRANSACTION, /* below the root, per transaction */
	CALL_TREE_PROCEDURE,
};

/* What the nodes directly below the root are. */
enum call_tree_by {
	CALL_TREE_BY_NONE, /* the outermost procedures */
	CALL_TREE_BY_TASK,
	CALL_TREE_BY_TRANSACTION,
};

#define CALL_TREE_NONE SIZE_MAX
#define CALL_TREE_PERIOD 8

/* What goes into a tree; all zero: CPU and waits of the whole session, callers above callees. */
struct call_tree_options {
	bool keep_recursion;
	bool by_line;	     /* lines of a procedure are separate nodes */
	unsigned resolution; /* as in call-places.h */
	enum call_tree_by by;
	bool no_cpu, no_waits;
	bool one_task, one_transaction; /* only rows of task, of transaction (0: of no
					 * transaction) */
	uint64_t task, transaction;
};

/* A parent has a lower number than its children; node 0 is the root. */
struct call_tree_node {
	enum call_tree_kind kind;
	bool inlined;	/* in all samples and waits it was inlined into its parent */
	bool recursive; /* recursion levels are folded into it */
	size_t parent;	/* CALL_TREE_NONE for the root */
	size_t level;	/* 0: the root */
	size_t place;	/* number in places; CALL_TREE_NONE for nodes of other kinds */
	uint64_t id;	/* of the task or transaction */
	size_t child;	/* the first child, that with the greatest weight; CALL_TREE_NONE: none */
	size_t next;	/* the next child of the same parent, CALL_TREE_NONE: none */
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
	struct call_tree_sum *sums; /* by place number */
	size_t *cpu_nodes;  /* by row of profile->cpu: the node it ends at; CALL_TREE_NONE: not
			     * selected */
	size_t *wait_nodes; /* the same for profile->waits */
};

/* options NULL: all zero. */
void call_tree_init(struct call_tree *tree, const struct profile *profile,
		    const struct call_tree_options *options);
void call_tree_release(struct call_tree *tree);

static inline const struct call_place *call_tree_place(const struct call_tree *tree, size_t node)
{
	return &tree->places.items[tree->nodes[node].place];
}
/* Appends the name of a node: a procedure, task or transaction; "" for the root. */
void call_tree_label(const struct call_tree *tree, size_t node, struct strbuf *sb);
/*
 * Returns the time that amounts stand for, ns: CPU time as if used on one
 * processor, plus the time charged to waits. Children are sorted by falling
 * weight, then by call_place_compare or id.
 */
uint64_t call_tree_weight(const struct profile *profile, const uint64_t amounts[CALL_TREE_AMOUNTS]);
/*
 * Computes the variance of WAIT_TOTAL for each node's own (NULL: not needed) and
 * all, square microseconds (wait-variance.h). The arrays have count members. The
 * margin of a share of samples is profile_row_margin.
 */
void call_tree_variances(const struct call_tree *tree, uint64_t *own, uint64_t *all);

#endif
