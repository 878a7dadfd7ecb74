/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detects loops while reading: pages of a damaged file may lead back to
 * themselves, so that the same records come again forever. Stores the key of
 * record 1, 2, 4, 8, ... and compares each key with it (Brent's algorithm): the
 * first stored key that is in the loop, and after which no more records than the
 * loop has were read, is seen again. In an undamaged file no key comes twice.
 */
#ifndef VIGIL_DATASETS_ROUNDS_H
#define VIGIL_DATASETS_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: nothing was read. */
struct rounds {
	char *kept; /* the stored key; NULL: none yet */
	uint64_t read, keep_at;
};

/*
 * Returns whether this key, of the next record, was certainly read before. All
 * keys have the same length.
 */
bool loop_detector_seen(struct rounds *rounds, const char *key, size_t length);
/* Forgets what was read, because reading starts at another record or has ended. */
void loop_detector_reset(struct rounds *rounds);

#endif
