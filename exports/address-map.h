/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses for forms that want one for each frame and a stretch of memory for each object. A data
 * set has offsets in objects, as processes map one object in many places; here each object gets a
 * stretch of its own, in the order of their ids, and the kernel stays where it is.
 */
#ifndef VIGIL_EXPORTS_ADDRESS_MAP_H
#define VIGIL_EXPORTS_ADDRESS_MAP_H

#include "exports/stack-view.h"

struct address_map {
	const struct stack_view *view;
	struct address_stretch {
		uint64_t start, end; /* end == start: no frame has an address in it */
		uint64_t base;	     /* of offset 0; start where it is not the kernel */
	} * stretches;		     /* by number of the object in profile->objects */
};

void address_map_init(struct address_map *map, const struct stack_view *view);
void address_map_release(struct address_map *map);
/* The object of a frame by its number, SIZE_MAX not known; address becomes the frame's, 0 none. */
size_t address_map_frame(const struct address_map *map, size_t frame, uint64_t *address);

#endif
