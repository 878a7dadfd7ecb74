/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the header of an object's call-frame information. */
#include "common/compat.h"
#include "program/objects/frame-header.h"

#include "program/objects/object.h"

#include <elf.h>

bool frame_header_of(struct frame_header *header, struct object *object)
{
	RETURN_IF(!object_headers(object), false);
	for (size_t i = 0; i < object->segment_count; i++) {
		const struct object_segment *segment = &object->segments[i];
		uint64_t size = segment->memory_size;

		if (segment->type != PT_GNU_EH_FRAME)
			continue;
		if (size > object_loaded_from(object, segment->address))
			size = object_loaded_from(object, segment->address);
		if (frame_header_read(header, object_bytes(object, segment->address, size), size,
				      segment->address))
			return true;
	}
	return false;
}
