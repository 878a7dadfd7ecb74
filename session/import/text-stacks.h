/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stacks of a text of perf script. A frame is an address in an object, as the text has them,
 * with the function that it names; what was inlined there are levels of the same frame.
 */
#ifndef VIGIL_SESSION_IMPORT_TEXT_STACKS_H
#define VIGIL_SESSION_IMPORT_TEXT_STACKS_H

#include "session/import/imported.h"
#include "session/import/perf-text.h"

struct text_stacks {
	struct imported *made;
	struct strmap keys;  /* each frame's texts */
	uint32_t *frames;    /* by number of a key */
	size_t frame_alloc;
	struct idmap taken;  /* offsets in objects that have a frame */
	struct strmap paths;
	struct object **objects; /* by number of a path */
	size_t object_alloc;
};

struct text_stack {
	uint32_t stack;
	uint32_t place; /* of a wait: the user's part alone, as in sessions; the whole where there is none */
	bool kernel, whole;
	unsigned reason; /* what the task waits for, as functions of the kernel tell; 0 */
};

void text_stacks_init(struct text_stacks *stacks, struct imported *made);
void text_stacks_release(struct text_stacks *stacks);
/* The stack of a sample; 0 frames: no stack. */
void text_stacks_sample(struct text_stacks *stacks, const struct text_record *record,
			struct text_stack *found);

#endif
