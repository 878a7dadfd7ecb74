/* SPDX-License-Identifier: Apache-2.0 */
/* Where the places of an interpreter's program belong in the stack of the sample. */
#include "common/compat.h"
#include "sampler/collectors/frames.h"

void answer_places(struct vigil_communication *area, const struct vigil_mapping *instructions,
		   const struct vigil_place *places, size_t count)
{
	const struct vigil_task *task = area->task;
	uint32_t level = 0;

	while (level < task->frame_count && (task->frames[level] < instructions->start ||
					     task->frames[level] >= instructions->end))
		level++;
	if (level < task->frame_count) {
		area->base = instructions->start;
		area->size = instructions->end - instructions->start;
	} else {
		level = task->frame_count ? (uint32_t)task->frame_count - 1 : 0;
		area->base = task->frame_count ? task->frames[level] : area->address;
		area->size = 1;
	}
	area->module = places[0].module;
	area->level = level;
	area->places = places;
	area->place_count = count;
}
