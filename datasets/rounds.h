/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notices that what is read goes round: pages of a damaged file may lead back
 * to themselves, and the same records come again for ever. The key of one record in
 * 1, 2, 4, 8, ... is kept, and a round comes back to it (Brent's algorithm): the
 * first one kept that is in the round, and behind which not more were read than the
 * round has records, is met once more. Keys of a whole file never come twice.
 */
#ifndef VIGIL_DATASETS_ROUNDS_H
#define VIGIL_DATASETS_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: nothing was read. */
struct rounds {
	char *kept; /* a key; NULL: none yet */
	uint64_t read, keep_at;
};

/*
 * Returns whether this key, of the record that was read next, is known to have
 * been read before. All keys have one length.
 */
bool rounds_again(struct rounds *rounds, const char *key, size_t length);
/* Forgets what was read: reading begins at another record, or is over. */
void rounds_reset(struct rounds *rounds);

#endif
