/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interned strings: each distinct text gets a small number, counted from 0 in
 * order of first appearance. Number 0 is always the empty string.
 */
#ifndef VIGIL_COMMON_STRMAP_H
#define VIGIL_COMMON_STRMAP_H

#include "common/compat.h"

struct strmap {
	char **texts; /* by number; owned */
	size_t count, alloc;
	uint32_t *slots; /* open addressing; number + 1, 0 is free */
	size_t slot_count;
};

void strmap_init(struct strmap *map);
void strmap_release(struct strmap *map);
/* Return the number of text, adding it if it is new. */
uint32_t strmap_put(struct strmap *map, const char *text);
uint32_t strmap_put_n(struct strmap *map, const char *text, size_t length);
/* Returns the number of text, or UINT32_MAX if it is not in the map. */
uint32_t strmap_find(const struct strmap *map, const char *text);
/* Returns the text with a number; "" for a number that was never assigned. */
const char *strmap_text(const struct strmap *map, uint32_t number);

#endif
