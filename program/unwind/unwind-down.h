/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks a user stack downwards, from callers to callees: for a task whose registers are
 * not known because it executes, as in the kernel, but whose stack was walked before.
 *
 * As long as a call lasts its return address stays where the caller left it. So the
 * calls of the earlier walk are compared with memory from the outermost one on. The
 * first that differs is another call of the same function. From there on, calls are
 * looked for below: a return address belongs to the callee if there is a call before it,
 * if the caller's call can lead to its function, and if the call-frame information there
 * gives exactly the frame address that the caller's call implies. The innermost function
 * is the target of the last call.
 *
 * A function that has made its last call and executes itself looks as if that call
 * lasted. So what is found is right for a task that is in a system call or at the end of
 * one, and else at most some calls too deep (but for page faults: sampler/page-look.h).
 */
#ifndef VIGIL_PROGRAM_UNWIND_UNWIND_DOWN_H
#define VIGIL_PROGRAM_UNWIND_UNWIND_DOWN_H

#include "program/unwind/unwind.h"

/* A call seen by an earlier walk. */
struct unwind_anchor {
	uint64_t address; /* unwind_frame.address: in the call instruction */
	uint64_t stack;	  /* the caller's stack pointer, without the return address */
};

/*
 * Stores the anchors of a walk, outermost first, at most most of them; returns their
 * number. frames: innermost first; its first one is no call.
 */
size_t unwind_anchors(const struct unwind_frame *frames, size_t count, struct unwind_anchor *anchors,
		      size_t most);
/*
 * Walks down from anchors, outermost first. Of input the space and the means to read
 * memory are used. Fills frames (UNWIND_MAX_FRAMES) innermost first and returns their
 * number; 0: the task is elsewhere, or its memory is not readable. *calls_system: the
 * innermost function is one that calls the system.
 */
size_t unwind_down(const struct unwind_input *input, const struct unwind_anchor *anchors, size_t count,
		   struct unwind_frame *frames, bool *calls_system);

#endif
