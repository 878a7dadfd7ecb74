/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two texts that belong to an address of the observed process, kept as long
 * as bytes that were seen with them are the same. A table of fixed size: what
 * is new takes the place of what was there.
 *
 * Texts given back stay valid until remember_begin is called again.
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
/* What is remembered of an address with which size bytes are seen; NULL: nothing. */
const struct remembered *remember_find(const struct remember *remember, uint64_t address,
				       const void *seen, size_t size);
/* Remember copies of two texts (not NULL); returns them, or NULL when there is no room now. */
const struct remembered *remember_add(struct remember *remember, uint64_t address, const void *seen,
				      size_t size, const char *first, const char *second);

#endif
