/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache of two texts per address of the observed process, valid while the bytes
 * that were read with them are the same. It has a fixed size: a new entry replaces
 * the one in its slot.
 *
 * Returned texts stay valid until remember_begin is called again.
 */
#ifndef VIGIL_COLLECTORS_REMEMBER_H
#define VIGIL_COLLECTORS_REMEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REMEMBER_SLOTS 1024
#define REMEMBER_SEEN 72
#define REMEMBER_RETIRED 1024

struct remembered {
	uint64_t address;
	unsigned char seen[REMEMBER_SEEN];
	char *first, *second;
};

struct remember {
	struct remembered slots[REMEMBER_SLOTS];
	char *retired[REMEMBER_RETIRED]; /* replaced since remember_begin */
	size_t retired_count;
};

void remember_begin(struct remember *remember);
void remember_release(struct remember *remember);
/* Returns what is cached for an address with these size bytes; NULL: nothing. */
const struct remembered *remember_find(const struct remember *remember, uint64_t address,
				       const void *seen, size_t size);
/* Caches copies of two texts (not NULL); returns the entry, or NULL if there is no space now. */
const struct remembered *remember_add(struct remember *remember, uint64_t address, const void *seen,
				      size_t size, const char *first, const char *second);

#endif
