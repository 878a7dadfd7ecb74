/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of the observed program as one call sees it: read page by page, each
 * page once, so that a stack of many small structures costs few reads.
 *
 * pages_begin starts a call; what was read before is forgotten.
 */
#ifndef VIGIL_COLLECTORS_PAGES_H
#define VIGIL_COLLECTORS_PAGES_H

#include "vigil/collector.h"

#include <stdbool.h>
#include <string.h>

#define PAGES_SIZE 4096
#define PAGES_COUNT 256

struct pages {
	const struct vigil_communication *area; /* of this call */
	struct page {
		uint64_t address, call; /* call: in which it was read */
		size_t size;		/* bytes that could be had */
		unsigned char bytes[PAGES_SIZE];
	} page[PAGES_COUNT];
	uint64_t call;
};

void pages_begin(struct pages *pages, const struct vigil_communication *area);
/* Copy size bytes from address on; false when not all of them can be had. */
bool pages_read(struct pages *pages, uint64_t address, void *buffer, size_t size);
/* The 8 bytes at address, 0 when they cannot be read. */
uint64_t pages_pointer(struct pages *pages, uint64_t address);

/* The 8 bytes at an offset of a structure that was read. */
static inline uint64_t pages_pointer_in(const unsigned char *structure, uint32_t offset)
{
	uint64_t value;

	memcpy(&value, structure + offset, sizeof(value));
	return value;
}

#endif
