/* SPDX-License-Identifier: Apache-2.0 */
/* Detects loops while reading. */
#include "common/compat.h"
#include "datasets/rounds.h"
#include "common/xalloc.h"

bool loop_detector_seen(struct rounds *rounds, const char *key, size_t length)
{
	if (rounds->kept && memcmp(rounds->kept, key, length) == 0)
		return true;
	if (++rounds->read < rounds->keep_at)
		return false;
	rounds->keep_at = 2 * rounds->read;
	if (!rounds->kept)
		rounds->kept = xcalloc(1, length);
	memcpy(rounds->kept, key, length);
	return false;
}

void loop_detector_reset(struct rounds *rounds)
{
	free(rounds->kept);
	*rounds = (struct rounds){ 0 };
}
