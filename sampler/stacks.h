/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stacks as a tree: each address that was seen is one frame, each path
 * of frames from the outermost in is one stack. Both get ids from 1 on, and a
 * row each, once.
 */
#ifndef VIGIL_SAMPLER_STACKS_H
#define VIGIL_SAMPLER_STACKS_H

#include "common/idmap.h"
#include "engine/record.h"
#include "program/unwind/unwind.h"

struct stacks {
	struct object_list *objects; /* borrowed */
	struct stacks_frame {
		uint32_t object;
		pid_t pid; /* a process that ran it */
		uint64_t offset;
	} * frames; /* by id - 1 */
	size_t frame_count, frame_alloc;
	struct stacks_node {
		uint32_t parent, frame;
		uint32_t root; /* the stack of its outermost frame */
		bool whole;    /* of a root: a walk has shown that nothing called it */
	} * nodes;	       /* by id - 1 */
	size_t node_count, node_alloc;
	struct idmap frame_ids, node_ids;
	size_t frames_told, nodes_told; /* rows written so far */
};

void stacks_init(struct stacks *stacks, struct object_list *objects);
void stacks_release(struct stacks *stacks);
/* The frame of an offset in an object. */
uint32_t stacks_frame(struct stacks *stacks, const struct object *object, uint64_t offset,
		      pid_t pid);
/* The stack in which frame was called from the stack parent (0: none). */
uint32_t stacks_push(struct stacks *stacks, uint32_t parent, uint32_t frame);
/* The stack of a walk, innermost frame first, called from parent (0: none). */
uint32_t stacks_walked(struct stacks *stacks, uint32_t parent, const struct unwind_frame *frames,
		       size_t depth, pid_t pid);
/* Put kernel addresses, innermost first, inside a stack. */
uint32_t stacks_kernel(struct stacks *stacks, uint32_t parent, const uint64_t *chain, size_t length,
		       pid_t pid);
/* A walk that gave this stack has reached the outermost frame. */
void stacks_mark_whole(struct stacks *stacks, uint32_t stack);
/* Whether a stack begins at an outermost frame. */
bool stacks_is_whole(const struct stacks *stacks, uint32_t stack);
/* The caller of a stack's innermost frame; 0 when it is the outermost. */
uint32_t stacks_parent(const struct stacks *stacks, uint32_t stack);
/* The innermost stack that both were called from, or are; 0 when they share nothing. */
uint32_t stacks_common(const struct stacks *stacks, uint32_t first, uint32_t second);
/* The stack called from ancestor, on the way to descendant; ancestor itself when they are the same. */
uint32_t stacks_below(const struct stacks *stacks, uint32_t ancestor, uint32_t descendant);
/* Rows of frames and of stacks that have none yet. */
void stacks_frame_rows(struct stacks *stacks, struct recordset *set);
void stacks_rows(struct stacks *stacks, struct recordset *set);

#endif
