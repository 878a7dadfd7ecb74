/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns addresses for export forms that need one for each frame. */
#include "common/compat.h"
#include "exports/address-map.h"
#include "common/xalloc.h"
#include "records/record-types.h"

#define PAGE UINT64_C(4096)
/* where objects begin, as position-independent programs do */
#define FIRST_START UINT64_C(0x400000)

/* Returns the frame and its object's number; NULL: it has no address in an object. */
static const struct record_frame *find(const struct stack_view *view, size_t frame, size_t *object)
{
	const struct profile *profile = view->profile;
	const struct record_frame *record;

	*object = SIZE_MAX;
	if (frame >= profile->frames.count)
		return NULL;
	record = id_table_at(&profile->frames, frame);
	*object = id_table_number(&profile->objects, record->object);
	return *object == SIZE_MAX || !record->offset ? NULL : record;
}

static bool is_kernel(const struct address_map *map, size_t object)
{
	const struct record_object *record = id_table_at(&map->view->profile->objects, object);

	return record->kind == OBJECT_KERNEL;
}

/*
 * Returns whether a frame's offset is an address. Places named by data collectors
 * have numbers instead.
 */
static bool has_address(const struct address_map *map, const struct record_frame *frame,
			size_t object)
{
	return is_kernel(map, object) || frame->offset < FRAME_PLACES_FIRST;
}

/* Finds, for each object with frames, the first and last page that has one, as offsets. */
static void find_extents(struct address_map *map)
{
	size_t object;

	for (size_t i = 0; i < map->view->profile->frames.count; i++) {
		const struct record_frame *frame = find(map->view, i, &object);
		struct address_range *stretch;
		uint64_t start, end;

		if (!frame || !has_address(map, frame, object))
			continue;
		stretch = &map->ranges[object];
		start = frame->offset / PAGE * PAGE;
		end = start <= UINT64_MAX - PAGE ? start + PAGE : UINT64_MAX;
		if (stretch->end == stretch->start || start < stretch->start)
			stretch->start = start;
		if (end > stretch->end)
			stretch->end = end;
	}
}

void address_map_init(struct address_map *map, const struct stack_view *view)
{
	uint64_t next = FIRST_START;

	map->view = view;
	map->ranges = xcalloc(view->profile->objects.count + 1, sizeof(*map->ranges));
	find_extents(map);
	for (size_t i = 0; i < view->profile->objects.count; i++) {
		struct address_range *stretch = &map->ranges[i];

		if (stretch->end == stretch->start || is_kernel(map, i))
			continue;
		stretch->base = next;
		stretch->start = next;
		stretch->end += next;
		next = stretch->end;
	}
}

void address_map_release(struct address_map *map)
{
	free(map->ranges);
	map->ranges = NULL;
}

size_t address_map_frame(const struct address_map *map, size_t frame, uint64_t *address)
{
	size_t object;
	const struct record_frame *record = find(map->view, frame, &object);

	*address = record && has_address(map, record, object)
			   ? map->ranges[object].base + record->offset
			   : 0;
	return object;
}
