/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of a profile as a page shows them: the nodes of its call tree by line
 * (profile/call-tree.h), each a function at a line, called from its parent; nodes
 * that waited have a child node for each wait.
 *
 * Nodes are numbered from 1, parents before their children; 0 is the root.
 */
#ifndef VIGIL_REPORTS_PAGE_PAGE_TREE_H
#define VIGIL_REPORTS_PAGE_PAGE_TREE_H

#include "profile/call-tree.h"

enum page_kind {
	PAGE_PROGRAM,
	PAGE_SYSTEM, /* a library, or another pseudo-section */
	PAGE_KERNEL,
	PAGE_UNKNOWN, /* no stack, or too small to be shown separately */
	PAGE_WAIT,
};

/* Keys of functions: strings of texts, and the kind. */
enum page_function_key {
	PAGE_FUNCTION_NAME,
	PAGE_FUNCTION_SECTION,
	PAGE_FUNCTION_MODULE,
	PAGE_FUNCTION_KIND,
	PAGE_FUNCTION_REASON, /* enum wait_reason of a WAIT, else 0 */
	PAGE_FUNCTION_KEYS
};

/* Keys of nodes: file is a string of texts. */
enum page_node_key { PAGE_NODE_PARENT, PAGE_NODE_FUNCTION, PAGE_NODE_FILE, PAGE_NODE_LINE, PAGE_NODE_KEYS };

struct page_tree {
	const struct profile *profile; /* borrowed */
	struct call_tree calls;
	struct strmap texts;
	struct keymap functions, nodes;
	size_t *of_calls; /* node by number in calls */
	size_t *cpu_nodes, *wait_nodes; /* by row of the profile; after page_tree_limit, nodes
					 * that were kept */
};

/* Returns what kind of code a place is. */
enum page_kind page_kind_of(const struct profile *profile, const struct call_place *place);
/* resolution: bytes per block of code without names, as in call-places.h. */
void page_tree_init(struct page_tree *tree, const struct profile *profile, unsigned resolution);
void page_tree_release(struct page_tree *tree);
/*
 * Merges the lightest nodes if there are more than most: everything below a kept
 * node becomes one node. The weight of a node is its time including callees, CPU
 * time plus waits of the step.
 */
void page_tree_limit(struct page_tree *tree, size_t most);

#endif
