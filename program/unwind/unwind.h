/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks a user stack while the step runs, using call-frame tables compiled once
 * for each object (cfi.h). Once an object's table exists, a walk calls no library
 * and allocates nothing.
 *
 * Rules for finding the caller of a frame, in this order:
 *   1. the object's call-frame information (.eh_frame, the table of a Go
 *      program, .debug_frame), including signal frames and the PLT; where Go's
 *      run time calls on a separate stack, the walk continues by the frame
 *      pointer, which is that of the stack that was left;
 *   2. if there is none (hand-written assembly): the stack is searched for a
 *      return address that is preceded by a call instruction which can lead
 *      here: its target is the start of the routine (or a PLT stub, or it is
 *      indirect), or code there jumps into it; registers that the routine has
 *      pushed are restored from its pushes. For code that aligns the stack,
 *      and where the information needs memory that is not preserved (below
 *      the stack pointer), the stack pointer that it has saved in a register
 *      or in its frame is looked for first;
 *   3. the frame-pointer chain, if it is consistent (code generated at run
 *      time).
 *
 * The first frame is the sampled instruction; the others are calls.
 */
#ifndef VIGIL_PROGRAM_UNWIND_UNWIND_H
#define VIGIL_PROGRAM_UNWIND_UNWIND_H

#include "program/objects/space.h"

#define UNWIND_MAX_FRAMES 512 /* maximum number of frames; recursion in deeper stacks is folded
			       * (recursion.h) */
/* Maximum number of steps; deeper stacks keep their innermost frames: UNWIND_TOO_DEEP. */
#define UNWIND_MAX_STEPS 2048

/* Register numbers are DWARF's for the processor; x86-64: 0..15 = rax rdx rcx rbx rsi rdi rbp rsp
   r8..r15, 16 = return address. */
#define UNWIND_REGISTERS 17

struct unwind_input {
	struct space *space;
	pid_t pid;			      /* for reading memory beyond the captured stack */
	uint64_t registers[UNWIND_REGISTERS]; /* [16] is the instruction pointer */
	uint32_t known;			      /* bit n: registers[n] is valid */
	uint64_t stack_start;		      /* address of stack[0]; equals the stack pointer */
	const unsigned char *stack;	      /* captured bytes; may be NULL */
	size_t stack_size;
	/*
	 * Reads memory that was not captured; returns false if it is not readable. NULL:
	 * not available.
	 */
	bool (*read)(void *argument, uint64_t address, void *buffer, size_t size);
	void *read_argument;
};

struct unwind_frame {
	const struct mapping *mapping; /* borrowed, valid until the space changes; NULL: unknown
				        * address */
	uint64_t address;	       /* instruction (first frame, after a signal) or call */
	uint64_t offset;	       /* in the object's terms; equals address if mapping is
				        * NULL */
	uint64_t stack;		       /* its stack pointer, 0: unknown */
	bool guessed;		       /* found by rule 2 or 3 */
};

enum unwind_end {
	UNWIND_WHOLE,	  /* reached the outermost frame (marked as such, or main's caller's end) */
	UNWIND_NO_MEMORY, /* the stack continues in memory that is not readable */
	UNWIND_NO_RULE,	  /* no rule found a caller */
	UNWIND_TOO_DEEP,  /* the stack was truncated at the limit */
};

/*
 * Walks the stack; fills frames (UNWIND_MAX_FRAMES) innermost first and returns
 * their number, at least 1.
 */
size_t unwind_walk(const struct unwind_input *input, struct unwind_frame *frames,
		   enum unwind_end *end);

#endif
