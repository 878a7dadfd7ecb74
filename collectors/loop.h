/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which frames of a stack are an interpreter's: the functions that execute the
 * program's commands one after the other (its loop) and what called them are
 * what its places stand for. What they call (the interpreter's own functions,
 * its extensions, libraries) stays on the stack.
 */
#ifndef VIGIL_COLLECTORS_LOOP_H
#define VIGIL_COLLECTORS_LOOP_H

#include "vigil/collector.h"

/* Instructions, [start, end). */
struct loop_range {
	uint64_t start, end;
};

/* The range of the function at address; a single byte where its size is not known. */
struct loop_range loop_function(const struct vigil_communication *area, uint64_t address);
/*
 * Set the area's level, base and size: the innermost frame in one of the loops, so that places
 * take its place and that of those further out. code has all of the interpreter.
 */
void loop_level(struct vigil_communication *area, const struct loop_range *code,
		const struct loop_range *loops, size_t count);
/* Whether an address lies in a range. */
bool loop_has(const struct loop_range *range, uint64_t address);
/* The frame whose part of the thread's stack holds an address; frame_count when it is not known. */
uint32_t loop_home(const struct vigil_communication *area, uint64_t address);
/* Where the frame that holds an address is further in than the area's level, and in code, it is the
   level: a part of the loop that the compiler laid elsewhere. */
void loop_begin(struct vigil_communication *area, const struct loop_range *code, uint64_t address);

#endif
