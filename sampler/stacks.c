/* SPDX-License-Identifier: Apache-2.0 */
/* Interns addresses and call stacks. */
#include "common/compat.h"
#include "sampler/stacks.h"
#include "common/hash.h"
#include "common/xalloc.h"
#include "records/record-types.h"

#include <linux/perf_event.h>

#define OFFSET_BITS 48

void stacks_init(struct stacks *stacks, struct object_list *objects)
{
	memset(stacks, 0, sizeof(*stacks));
	stacks->objects = objects;
	idmap_init(&stacks->frame_ids);
	idmap_init(&stacks->node_ids);
	idmap_init(&stacks->native_ids);
}

void stacks_release(struct stacks *stacks)
{
	free(stacks->frames);
	free(stacks->nodes);
	idmap_release(&stacks->frame_ids);
	idmap_release(&stacks->node_ids);
	idmap_release(&stacks->native_ids);
}

uint32_t stacks_frame(struct stacks *stacks, const struct object *object, uint64_t offset,
		      pid_t pid)
{
	/* User and kernel addresses of one object differ in their lower 48 bits. */
	uint64_t key =
		(uint64_t)object->id << OFFSET_BITS | (offset & ((UINT64_C(1) << OFFSET_BITS) - 1));
	uint64_t id;

	/*
	 * If another frame has this key, because an object's number does not fit into it,
	 * try another key.
	 */
	for (; idmap_get(&stacks->frame_ids, key, &id); key = hash_pair(key, object->id)) {
		const struct stacks_frame *frame = &stacks->frames[id - 1];

		if (frame->object == object->id && frame->offset == offset)
			return (uint32_t)id;
	}
	GROW(stacks->frames, stacks->frame_count + 1, stacks->frame_alloc);
	stacks->frames[stacks->frame_count++] =
		(struct stacks_frame){ .object = object->id, .pid = pid, .offset = offset };
	idmap_put(&stacks->frame_ids, key, stacks->frame_count);
	return (uint32_t)stacks->frame_count;
}

/* Adds a stack; returns its id. */
static uint32_t add_node(struct stacks *stacks, const struct stacks_node *node)
{
	GROW(stacks->nodes, stacks->node_count + 1, stacks->node_alloc);
	stacks->nodes[stacks->node_count++] = *node;
	return (uint32_t)stacks->node_count;
}

uint32_t stacks_push(struct stacks *stacks, uint32_t parent, uint32_t frame)
{
	uint64_t key = (uint64_t)parent << 32 | frame;
	uint64_t id;

	if (idmap_get(&stacks->node_ids, key, &id))
		return (uint32_t)id;
	id = add_node(stacks, &(struct stacks_node){ .parent = parent, .frame = frame });
	idmap_put(&stacks->node_ids, key, id);
	return (uint32_t)id;
}

uint32_t stacks_stand_for(struct stacks *stacks, uint32_t stack, uint32_t native)
{
	uint64_t key = (uint64_t)stack << 32 | native;
	struct stacks_node node;
	uint64_t id;

	if (!stack || !native || stack == native)
		return stack;
	if (idmap_get(&stacks->native_ids, key, &id))
		return (uint32_t)id;
	node = stacks->nodes[stack - 1];
	node.native = native;
	id = add_node(stacks, &node);
	idmap_put(&stacks->native_ids, key, id);
	return (uint32_t)id;
}

uint32_t stacks_walked(struct stacks *stacks, uint32_t parent, const struct unwind_frame *frames,
		       size_t depth, pid_t pid)
{
	while (depth-- > 0) {
		const struct unwind_frame *frame = &frames[depth];
		const struct object *object =
			frame->mapping
				? frame->mapping->object
				: object_for_kind(stacks->objects, OBJECT_UNKNOWN, pid, 0, 0);

		parent = stacks_push(stacks, parent,
				     stacks_frame(stacks, object, frame->offset, pid));
	}
	return parent;
}

uint32_t stacks_kernel(struct stacks *stacks, uint32_t parent, const uint64_t *chain, size_t length,
		       pid_t pid)
{
	const struct object *kernel = object_for_kind(stacks->objects, OBJECT_KERNEL, pid, 0, 0);

	while (length-- > 0) {
		uint64_t address = chain[length];

		/* Values this high mark the start of kernel or user addresses. */
		if (address >= (uint64_t)PERF_CONTEXT_MAX)
			continue;
		parent = stacks_push(
			stacks, parent,
			stacks_frame(stacks, kernel, length > 1 ? address - 1 : address, pid));
	}
	return parent;
}

void stacks_mark_whole(struct stacks *stacks, uint32_t stack)
{
	for (; stack && !stacks->nodes[stack - 1].whole; stack = stacks->nodes[stack - 1].parent)
		stacks->nodes[stack - 1].whole = true;
}

void stacks_mark_truncated(struct stacks *stacks, uint32_t stack)
{
	uint32_t parent;

	while ((parent = stacks_parent(stacks, stack)) != 0)
		stack = parent;
	if (stack)
		stacks->nodes[stack - 1].truncated = true;
}

void stacks_mark_detached(struct stacks *stacks, uint32_t stack)
{
	if (stack)
		stacks->nodes[stack - 1].detached = true;
}

/* A stack called from a whole one is whole, unless a part between them was not walked. */
bool stacks_is_whole(const struct stacks *stacks, uint32_t stack)
{
	while (stack && !stacks->nodes[stack - 1].whole && !stacks->nodes[stack - 1].detached)
		stack = stacks->nodes[stack - 1].parent;
	return stack && stacks->nodes[stack - 1].whole;
}

bool stacks_is_truncated(const struct stacks *stacks, uint32_t stack)
{
	while (stack && !stacks->nodes[stack - 1].truncated && !stacks->nodes[stack - 1].detached)
		stack = stacks->nodes[stack - 1].parent;
	return stack && stacks->nodes[stack - 1].truncated;
}

uint32_t stacks_parent(const struct stacks *stacks, uint32_t stack)
{
	return stack ? stacks->nodes[stack - 1].parent : 0;
}

uint32_t stacks_common(const struct stacks *stacks, uint32_t first, uint32_t second)
{
	while (first != second) {
		/* A parent has a smaller id than its callees. */
		if (first > second)
			first = stacks_parent(stacks, first);
		else
			second = stacks_parent(stacks, second);
	}
	return first;
}

uint32_t stacks_below(const struct stacks *stacks, uint32_t ancestor, uint32_t descendant)
{
	uint32_t below = descendant;

	while (descendant != ancestor && descendant) {
		below = descendant;
		descendant = stacks_parent(stacks, descendant);
	}
	return below;
}

int stacks_by_place(const void *one, const void *other, void *frames)
{
	const struct stacks_frame *first = (const struct stacks_frame *)frames + *(const uint32_t *)one;
	const struct stacks_frame *second =
		(const struct stacks_frame *)frames + *(const uint32_t *)other;

	if (first->object != second->object)
		return first->object < second->object ? -1 : 1;
	return (first->offset > second->offset) - (first->offset < second->offset);
}

void stacks_frame_rows(struct stacks *stacks, struct recordset *set)
{
	for (; stacks->frames_written < stacks->frame_count; stacks->frames_written++) {
		const struct stacks_frame *frame = &stacks->frames[stacks->frames_written];
		struct record_frame row = {
			.frame = stacks->frames_written + 1,
			.object = frame->object,
			.offset = frame->offset,
		};

		recordset_add(set, &row);
	}
}

void stacks_rows(struct stacks *stacks, struct recordset *set)
{
	for (; stacks->nodes_written < stacks->node_count; stacks->nodes_written++) {
		const struct stacks_node *node = &stacks->nodes[stacks->nodes_written];
		struct record_stack row = {
			.stack = stacks->nodes_written + 1,
			.parent = node->parent,
			.frame = node->frame,
			.native = node->native,
		};

		recordset_add(set, &row);
	}
}
