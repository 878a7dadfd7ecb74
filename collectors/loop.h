/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which frames of a stack belong to an interpreter. Places replace the
 * functions that execute the program's commands one after the other (the loop) and
 * their callers. What the loop calls (internal functions, extensions, libraries)
 * stays on the stack.
 */
#ifndef VIGIL_COLLECTORS_LOOP_H
#define VIGIL_COLLECTORS_LOOP_H

#include "vigil/collector.h"

/* A range of instructions, [start, end). */
struct loop_range {
	uint64_t start, end;
};

/* Returns the range of the function at address; a single byte if its size is unknown. */
struct loop_range loop_function(const struct vigil_communication *area, uint64_t address);
/*
 * Sets the area's level, base and size: the innermost frame in one of the loops,
 * so that places replace this frame and those further out. code is the whole
 * interpreter.
 */
void loop_level(struct vigil_communication *area, const struct loop_range *code,
		const struct loop_range *loops, size_t count);
/* Returns whether an address is in a range. */
bool loop_has(const struct loop_range *range, uint64_t address);
/*
 * Returns the frame whose part of the thread's stack contains an address;
 * frame_count if unknown.
 */
uint32_t loop_home(const struct vigil_communication *area, uint64_t address);
/*
 * Makes the frame that contains an address the area's level if it is further in
 * than the current level and in code: it is a part of the loop that the compiler
 * placed elsewhere.
 */
void loop_begin(struct vigil_communication *area, const struct loop_range *code, uint64_t address);

#endif
