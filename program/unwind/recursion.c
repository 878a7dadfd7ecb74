/* SPDX-License-Identifier: Apache-2.0 */
/* Folds recursion. */
#include "common/compat.h"
#include "program/unwind/recursion.h"
#include "program/unwind/code-table.h"

/* Returns what a frame executes: its function if known, else its address. */
static uint64_t function_of(const struct unwind_frame *frame)
{
	struct code_table *table = frame->mapping ? code_table_of(frame->mapping->object) : NULL;
	struct routine routine = { 0, 0 };

	if (table && !cfi_function_at(&table->cfi, frame->offset, &routine.start, &routine.end) &&
	    !routine_find(&table->routines, frame->offset, &routine))
		return frame->address;
	return table ? routine.start + frame->mapping->bias : frame->address;
}

/* Returns whether the last frames of count repeat the same cycle for the third time. */
static bool is_third_cycle(const uint64_t *functions, size_t count, size_t round)
{
	const uint64_t *last = functions + count - round;

	return count >= 3 * round && memcmp(last, last - round, round * sizeof(*last)) == 0 &&
	       memcmp(last, last - 2 * round, round * sizeof(*last)) == 0;
}

size_t recursion_fold(struct unwind_frame *frames, size_t count)
{
	uint64_t functions[UNWIND_MAX_FRAMES];
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		frames[kept] = frames[i];
		functions[kept] = function_of(&frames[kept]);
		kept++;
		for (size_t round = 1; round <= RECURSION_LONGEST; round++)
			if (is_third_cycle(functions, kept, round)) {
				kept -= round;
				break;
			}
	}
	return kept;
}
