/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call stacks as a tree: each address that was seen is one frame, each path of
 * frames from the outermost one inwards is one stack. Both get ids from 1 on, and
 * one row each.
 *
 * If data collectors named places, the stack with these places stands for the one
 * that was walked, its native one: then the same frames can be several stacks.
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
		pid_t pid; /* a process that executed it */
		uint64_t offset;
	} * frames; /* indexed by id - 1 */
	size_t frame_count, frame_alloc;
	struct stacks_node {
		uint32_t parent, frame;
		uint32_t native; /* the walked stack if data collectors named places; else 0 */
		bool whole;	 /* a walk through it has reached the outermost frame */
		bool truncated;	 /* a walk that was too deep ended here */
		bool detached;	 /* its caller was not walked: it was placed inside its parent */
	} * nodes;		 /* indexed by id - 1 */
	size_t node_count, node_alloc;
	struct idmap frame_ids, node_ids, native_ids;
	size_t frames_written, nodes_written; /* number of rows written */
};

void stacks_init(struct stacks *stacks, struct object_list *objects);
void stacks_release(struct stacks *stacks);
/* Returns the frame of an offset in an object. */
uint32_t stacks_frame(struct stacks *stacks, const struct object *object, uint64_t offset,
		      pid_t pid);
/* Returns the stack in which frame was called from the stack parent (0: none). */
uint32_t stacks_push(struct stacks *stacks, uint32_t parent, uint32_t frame);
/* Returns the stack of a walk, innermost frame first, called from parent (0: none). */
uint32_t stacks_walked(struct stacks *stacks, uint32_t parent, const struct unwind_frame *frames,
		       size_t depth, pid_t pid);
/* Returns the stack with kernel addresses, innermost first, called from parent. */
uint32_t stacks_kernel(struct stacks *stacks, uint32_t parent, const uint64_t *chain, size_t length,
		       pid_t pid);
/* Returns a stack with the same frames as stack that stands for the walked stack native. */
uint32_t stacks_stand_for(struct stacks *stacks, uint32_t stack, uint32_t native);
/* Marks that a walk that gave this stack has reached the outermost frame. */
void stacks_mark_whole(struct stacks *stacks, uint32_t stack);
/* Marks that a walk that gave this stack was too deep to reach the outermost frame. */
void stacks_mark_truncated(struct stacks *stacks, uint32_t stack);
/* Marks that a walk ended at this stack, without reaching its parent. */
void stacks_mark_detached(struct stacks *stacks, uint32_t stack);
/* Returns whether all frames of a stack, up to an outermost one, were walked or named. */
bool stacks_is_whole(const struct stacks *stacks, uint32_t stack);
/*
 * Returns whether a stack that is not whole lacks its outermost frames only
 * because it is too deep.
 */
bool stacks_is_truncated(const struct stacks *stacks, uint32_t stack);
/* Returns the caller of a stack's innermost frame; 0: it is the outermost. */
uint32_t stacks_parent(const struct stacks *stacks, uint32_t stack);
/* Returns the innermost stack that both were called from, or are; 0: they share nothing. */
uint32_t stacks_common(const struct stacks *stacks, uint32_t first, uint32_t second);
/*
 * Returns the stack called from ancestor, on the path to descendant; ancestor
 * itself if they are the same.
 */
uint32_t stacks_below(const struct stacks *stacks, uint32_t ancestor, uint32_t descendant);
/*
 * Comparison for qsort_r of frame numbers (uint32_t, from 0; argument: frames):
 * orders them by objects and offsets, which is best for looking up names.
 */
int stacks_by_place(const void *one, const void *other, void *frames);
/* Add rows of frames and of stacks that have none yet. */
void stacks_frame_rows(struct stacks *stacks, struct recordset *set);
void stacks_rows(struct stacks *stacks, struct recordset *set);

#endif
