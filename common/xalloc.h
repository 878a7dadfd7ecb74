/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is always there: these never return NULL. A process that runs
 * out of memory says so and ends with status 12, because no caller has a
 * better answer. Code inside the measured step (agent) must not use
 * them.
 */
#ifndef VIGIL_COMMON_XALLOC_H
#define VIGIL_COMMON_XALLOC_H

#include "common/compat.h"

/* Allocate size bytes, not cleared. */
void *xmalloc(size_t size) __attribute__((malloc));
/* Allocate count elements of size bytes, cleared; the product may not overflow. */
void *xcalloc(size_t count, size_t size) __attribute__((malloc));
/* Resize to count elements of size bytes; the product may not overflow. */
void *xreallocarray(void *old, size_t count, size_t size);
/* Copy a string; the caller owns it. */
char *xstrdup(const char *text) __attribute__((malloc));
/* Copy the first length bytes of text and end them with NUL; the caller owns it. */
char *xstrndup(const char *text, size_t length) __attribute__((malloc));
/* Copy size bytes; the caller owns them. */
void *xmemdup(const void *data, size_t size) __attribute__((malloc));

/*
 * Make room for at least want elements in a growing array: base is the array
 * pointer, alloc its size in elements. Growth is geometric.
 *
 *	GROW(deck->cards, deck->count + 1, deck->alloc);
 *	deck->cards[deck->count++] = card;
 */
#define GROW(base, want, alloc)                                                                    \
	do {                                                                                       \
		size_t grow_want_ = (want);                                                        \
		if (grow_want_ > (alloc)) {                                                        \
			size_t grow_to_ = (size_t)(alloc) + (size_t)(alloc) / 2 + 16;              \
			if (grow_to_ < grow_want_)                                                 \
				grow_to_ = grow_want_;                                             \
			(base) = xreallocarray((base), grow_to_, sizeof(*(base)));                 \
			(alloc) = grow_to_;                                                        \
		}                                                                                  \
	} while (0)

#endif
