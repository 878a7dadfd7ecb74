/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk's second rule: a return address is recognized by the call instruction
 * before it, and by the target of that call.
 */
#ifndef VIGIL_PROGRAM_UNWIND_UNWIND_SEARCH_H
#define VIGIL_PROGRAM_UNWIND_UNWIND_SEARCH_H

#include "program/unwind/walk.h"

#define SEARCH_FRAME_LARGEST (UINT64_C(1) << 20) /* maximum plausible frame size in bytes */

/* How well a call matches the routine that is being left. */
enum match {
	MATCH_NONE = 0, /* no call before the address */
	MATCH_ANY,	/* a call to something else (which may have jumped here) */
	MATCH_POSSIBLE, /* indirect, or to code of the same kind */
	MATCH_EXACT,	/* its target is the routine's start, directly or through a stub, or code
			   that jumps into the routine */
};

/* Returns how well the call before return_address matches. */
enum match search_match(struct walk *walk, const struct code_place *place, uint64_t return_address);
/*
 * Returns whether the code at target, in the object's terms, jumps into the routine: it
 * may have variants, for different processors, or end by calling it.
 */
bool search_jumps_into(struct object *object, uint64_t target, const struct routine *routine);
/*
 * Returns the address of the function that the call before return_address calls,
 * directly, through a linkage stub or through a table of addresses; 0: not known.
 */
uint64_t search_target(struct walk *walk, uint64_t return_address);
/*
 * Finds the address of the return address in code that aligns the stack: such code
 * keeps the stack pointer it was called with, in a register or in its frame. Only
 * calls that match better than MATCH_ANY count.
 */
bool search_saved_pointer(struct walk *walk, const struct code_place *place, uint64_t *found);
/* Finds the address in the stack of the first return address at least as good as match. */
bool search_return(struct walk *walk, const struct code_place *place, enum match match,
		   uint64_t *found);
/*
 * Finds the routine at a place, and the row from its code. has_information: use
 * the function that call-frame information names.
 */
const struct frame_row *search_row(struct walk *walk, struct code_place *place,
				   bool has_information);
/* Returns whether the code is started by the kernel and has no caller. */
bool search_is_entry(const struct code_place *place);
/* Returns whether the walk is about to return to the code that ends a signal handler. */
bool search_is_signal_return(struct walk *walk, const struct code_place *place);

#endif
