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

void residue_put(struct residue *residue, uint32_t stack)
{
	residue->stacks[residue->next_put++ % RESIDUE_STACKS] = stack;
}

uint32_t residue_get(struct residue *residue)
{
	unsigned count = residue->next_put < RESIDUE_STACKS ? residue->next_put : RESIDUE_STACKS;

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
