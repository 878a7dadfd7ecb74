/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk's second rule: a return address is known by the call instruction
 * that stands before it, and by where that call leads.
 */
#ifndef VIGIL_PROGRAM_UNWIND_UNWIND_SEARCH_H
#define VIGIL_PROGRAM_UNWIND_UNWIND_SEARCH_H

#include "program/unwind/walk.h"

#define SEARCH_FRAME_LARGEST (UINT64_C(1) << 20) /* bytes of a frame that is believed */

/* How well a call fits the routine that is being left. */
enum match {
	MATCH_NONE = 0, /* no call stands before the address */
	MATCH_ANY,	/* a call to something else (which may have jumped here) */
	MATCH_POSSIBLE, /* indirect, or to code of the same kind */
	MATCH_EXACT,	/* its target is the routine's start, directly or through a stub, or code
			   that jumps into the routine */
};

/* How well the call before return_address fits. */
enum match search_match(struct walk *walk, const struct code_place *place, uint64_t return_address);
/*
 * The place of the return address by what code that aligns the stack keeps: the
 * stack pointer it was called with, in a register or in its own frame. Only
 * calls that fit better than MATCH_ANY count.
 */
bool search_kept(struct walk *walk, const struct code_place *place, uint64_t *found);
/* The address in the stack of the first return address that fits so well. */
bool search_return(struct walk *walk, const struct code_place *place, enum match match,
		   uint64_t *found);
/*
 * Find the routine at a place, and the row that its code gives. With
 * has_information the function that call-frame information names is meant.
 */
const struct frame_row *search_row(struct walk *walk, struct code_place *place,
				   bool has_information);
/* Whether the code is what the kernel starts, which nothing has called. */
bool search_is_entry(const struct code_place *place);
/* Whether the walk is about to return to the code that ends a signal handler. */
bool search_is_signal_return(struct walk *walk, const struct code_place *place);

#endif
