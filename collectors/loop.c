/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the innermost frame of an interpreter's loop. */
#include "common/compat.h"
#include "collectors/loop.h"

struct loop_range loop_function(const struct vigil_communication *area, uint64_t address)
{
	struct loop_range range = { address, address + 1 };
	struct vigil_symbol symbol;

	if (address && !vigil_symbol_at(area, address, &symbol) && symbol.start == address &&
	    symbol.size)
		range.end = address + symbol.size;
	return range;
}

bool loop_has(const struct loop_range *range, uint64_t address)
{
	return address >= range->start && address < range->end;
}

/* Takes the innermost frame in a range if it is further in than the current level. */
static void take_range(struct vigil_communication *area, const struct loop_range *range)
{
	const struct vigil_task *task = area->task;

	for (uint32_t level = 0; level < area->level; level++)
		if (loop_has(range, task->frames[level])) {
			area->level = level;
			area->base = range->start;
			area->size = range->end - range->start;
		}
}

/*
 * The stack is complete but has no frame in the loop: it executes a part of the
 * loop that the compiler placed elsewhere, or internal work of the interpreter. An
 * incomplete stack has only its innermost frames, which stay unchanged.
 */
void loop_level(struct vigil_communication *area, const struct loop_range *code,
		const struct loop_range *loops, size_t count)
{
	const struct vigil_task *task = area->task;
	uint32_t frames = (uint32_t)task->frame_count;

	area->level = frames;
	area->base = frames ? task->frames[frames - 1] : area->address;
	area->size = 1;
	for (size_t i = 0; i < count; i++)
		take_range(area, &loops[i]);
	if (area->level == frames && task->flags & VIGIL_WHOLE)
		take_range(area, code);
}

uint32_t loop_home(const struct vigil_communication *area, uint64_t address)
{
	const struct vigil_task *task = area->task;

	for (uint32_t level = 0; task->stack_pointers && level + 1 < task->frame_count; level++) {
		uint64_t from = task->stack_pointers[level], to = task->stack_pointers[level + 1];

		if (from && from <= address && address < to)
			return level;
	}
	return (uint32_t)task->frame_count;
}

void loop_begin(struct vigil_communication *area, const struct loop_range *code, uint64_t address)
{
	uint32_t level = loop_home(area, address);

	if (level >= area->level || !loop_has(code, area->task->frames[level]))
		return;
	area->level = level;
	area->base = area->task->frames[level];
	area->size = 1;
}
