/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks in the output of perf script. A frame is an address in an object, as in
 * the text, with the function that it names; functions inlined there are levels of
 * the same frame.
 */
#ifndef VIGIL_SESSION_IMPORT_TEXT_STACKS_H
#define VIGIL_SESSION_IMPORT_TEXT_STACKS_H

#include "session/import/imported.h"
#include "session/import/perf-text.h"

struct text_stacks {
	struct imported *made;
	struct strmap keys;  /* the texts of each frame */
	uint32_t *frames;    /* by index of its key */
	size_t frame_alloc;
	struct idmap taken;  /* used offsets in objects */
	struct strmap paths;
	struct object **objects; /* by index of a path */
	size_t object_alloc;
};

struct text_stack {
	uint32_t stack;
	uint32_t place; /* of a wait: only the user part, as in sessions; the whole stack if
			 * there is none */
	bool kernel, whole;
	unsigned reason; /* reason of the wait according to kernel functions; 0: unknown */
};

void text_stacks_init(struct text_stacks *stacks, struct imported *made);
void text_stacks_release(struct text_stacks *stacks);
/* Finds the stack of a sample; 0 frames: no stack. */
void text_stacks_sample(struct text_stacks *stacks, const struct text_record *record,
			struct text_stack *found);

#endif
