/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of short tasks, summed up by program. */
#include "common/compat.h"
#include "sampler/residue.h"
#include "common/xalloc.h"

struct pool *pools_get(struct pools *pools, const char *path)
{
	struct pool *pool;

	for (pool = pools->first; pool; pool = pool->next)
		if (strcmp(pool->path, path) == 0)
			return pool;
	pool = xcalloc(1, sizeof(*pool));
	pool->path = xstrdup(path);
	pool->next = pools->first;
	pools->first = pool;
	return pool;
}

void pool_put(struct pool *pool, uint32_t stack)
{
	pool->stacks[pool->next_put++ % POOL_STACKS] = stack;
}

uint32_t pool_get(struct pool *pool)
{
	unsigned count = pool->next_put < POOL_STACKS ? pool->next_put : POOL_STACKS;

	return count ? pool->stacks[pool->next_get++ % count] : 0;
}

void pools_release(struct pools *pools)
{
	while (pools->first) {
		struct pool *pool = pools->first;

		pools->first = pool->next;
		free(pool->path);
		free(pool);
	}
}
