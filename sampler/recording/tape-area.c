/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of an area. */
#include "common/compat.h"
#include "sampler/recording/tape-area.h"
#include "common/varint.h"

/* Areas are compared in parts of this size. */
#define PART 256
/* How often a part is read again when it changes while it is read. */
#define TRIES 4

/* Reads a part that others may write meanwhile; once it was the same twice, it is whole. */
static void read_part(unsigned char *part, const unsigned char *from, size_t size)
{
	unsigned tries = 0;

	do {
		memcpy(part, from, size);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (memcmp(part, from, size) != 0 && ++tries < TRIES);
}

void tape_area_take(void *copy, const void *from, size_t offset, size_t size, struct strbuf *changes)
{
	unsigned char part[PART];
	size_t end = 0; /* of the last change, from the area's beginning */

	for (size_t at = 0; at < size; at += PART) {
		size_t length = size - at < PART ? size - at : PART;
		unsigned char *own = (unsigned char *)copy + at;

		read_part(part, (const unsigned char *)from + at, length);
		if (memcmp(own, part, length) == 0)
			continue;
		memcpy(own, part, length);
		strbuf_addvarint(changes, offset + at - end);
		strbuf_addvarint(changes, length);
		strbuf_add(changes, part, length);
		end = offset + at + length;
	}
}

bool tape_area_apply(void *area, size_t size, const void *changes, size_t length)
{
	const unsigned char *at = changes, *end = at + length;
	uint64_t offset = 0, distance, changed;

	while (at < end) {
		if (!varint_read(&at, end, &distance) || !varint_read(&at, end, &changed) ||
		    distance > size - offset || changed > size - offset - distance ||
		    changed > (uint64_t)(end - at))
			return false;
		memcpy((unsigned char *)area + offset + distance, at, changed);
		at += changed;
		offset += distance + changed;
	}
	return true;
}
