/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of short tasks, summed up by program. */
#include "common/compat.h"
#include "sampler/residue.h"
#include "common/xalloc.h"

struct residue *residues_get(struct residues *residues, const char *path)
{
	struct residue *residue;

	for (residue = residues->first; residue; residue = residue->next)
		if (strcmp(residue->path, path) == 0)
			return residue;
	residue = xcalloc(1, sizeof(*residue));
	residue->path = xstrdup(path);
	residue->next = residues->first;
	residues->first = residue;
	return residue;
}

/* Returns a random number below bound. */
static uint64_t draw(struct residue *residue, uint64_t bound)
{
	residue->lot = residue->lot * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (residue->lot >> 33) % bound;
}

void residue_put(struct residue *residue, uint32_t stack, bool at_begin)
{
	uint64_t place;

	residue->stacks[residue->next_put++ % RESIDUE_STACKS] = stack;
	if (!at_begin)
		return;
	place = residue->short_seen++;
	if (place >= RESIDUE_SHORT_STACKS)
		place = draw(residue, residue->short_seen);
	if (place < RESIDUE_SHORT_STACKS)
		residue->short_stacks[place] = stack;
}

uint32_t residue_get(struct residue *residue)
{
	unsigned count = residue->next_put < RESIDUE_STACKS ? residue->next_put : RESIDUE_STACKS;
	unsigned shorts = residue->short_seen < RESIDUE_SHORT_STACKS ?
				  (unsigned)residue->short_seen :
				  RESIDUE_SHORT_STACKS;

	if (shorts)
		return residue->short_stacks[residue->next_get++ % shorts];
	return count ? residue->stacks[residue->next_get++ % count] : 0;
}

void residues_release(struct residues *residues)
{
	while (residues->first) {
		struct residue *residue = residues->first;

		residues->first = residue->next;
		free(residue->path);
		free(residue);
	}
}
