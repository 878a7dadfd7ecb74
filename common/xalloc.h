/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory allocation that never returns NULL: a process that runs out of memory
 * says so and exits with status 12, because no caller could do better. Code inside
 * the measured step (agent) must not use it.
 */
#ifndef VIGIL_COMMON_XALLOC_H
#define VIGIL_COMMON_XALLOC_H

#include "common/compat.h"

/* Allocates size bytes, not cleared. */
void *xmalloc(size_t size) __attribute__((malloc));
/* Allocates count elements of size bytes, cleared; ends the process if the product overflows. */
void *xcalloc(size_t count, size_t size) __attribute__((malloc));
/* Resizes to count elements of size bytes; ends the process if the product overflows. */
void *xreallocarray(void *old, size_t count, size_t size);
/* Copies a string; the caller frees it. */
char *xstrdup(const char *text) __attribute__((malloc));
/* Copies the first length bytes of text and appends NUL; the caller frees it. */
char *xstrndup(const char *text, size_t length) __attribute__((malloc));
/* Copies size bytes; the caller frees them. */
void *xmemdup(const void *data, size_t size) __attribute__((malloc));

/*
 * Makes space for at least want elements in a growing array: base is the array
 * pointer, alloc its size in elements. Growth is geometric.
 *
 * 	GROW(deck->cards, deck->count + 1, deck->alloc);
 * 	deck->cards[deck->count++] = card;
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
