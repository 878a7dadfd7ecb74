/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of the observed program as one call sees it: each page is read once,
 * so that a stack of many small structures costs few reads.
 *
 * pages_begin starts a call and discards what was read before.
 */
#ifndef VIGIL_COLLECTORS_PAGES_H
#define VIGIL_COLLECTORS_PAGES_H

#include "vigil/collector.h"

#include <stdbool.h>
#include <string.h>

#define PAGES_SIZE 4096
#define PAGES_COUNT 256

struct pages {
	const struct vigil_communication *area; /* of the current call */
	struct page {
		uint64_t address, call; /* call: number of the call in which it was read */
		size_t size;		/* bytes that could be read */
		unsigned char bytes[PAGES_SIZE];
	} page[PAGES_COUNT];
	uint64_t call;
};

void pages_begin(struct pages *pages, const struct vigil_communication *area);
/* Copies size bytes from address on; returns false if not all of them are readable. */
bool pages_read(struct pages *pages, uint64_t address, void *buffer, size_t size);
/* Returns the 8 bytes at address, 0 if they are not readable. */
uint64_t pages_pointer(struct pages *pages, uint64_t address);

/* Returns the 8 bytes at an offset of a structure that was read. */
static inline uint64_t pages_pointer_in(const unsigned char *structure, uint32_t offset)
{
	uint64_t value;

	memcpy(&value, structure + offset, sizeof(value));
	return value;
}

#endif
