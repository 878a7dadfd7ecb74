/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses for export forms that need one for each frame and an address range for
 * each object. A data set has offsets in objects, since processes map the same
 * object at different addresses. Here each object gets its own range, in the order
 * of their ids; the kernel keeps its addresses.
 */
#ifndef VIGIL_EXPORTS_ADDRESS_MAP_H
#define VIGIL_EXPORTS_ADDRESS_MAP_H

#include "exports/stack-view.h"

struct address_map {
	const struct stack_view *view;
	struct address_range {
		uint64_t start, end; /* end == start: the object has no frame with an address */
		uint64_t base;	     /* address of offset 0; equals start except for the kernel */
	} * ranges;		     /* indexed by the object's number in profile->objects */
};

void address_map_init(struct address_map *map, const struct stack_view *view);
void address_map_release(struct address_map *map);
/*
 * Returns the number of a frame's object, SIZE_MAX: unknown. *address is the
 * frame's address, 0: none.
 */
size_t address_map_frame(const struct address_map *map, size_t frame, uint64_t *address);

#endif
