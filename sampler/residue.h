/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of tasks that ended with less than a whole sample, summed up by program. */
#ifndef VIGIL_SAMPLER_RESIDUE_H
#define VIGIL_SAMPLER_RESIDUE_H

#include "common/compat.h"

#define POOL_STACKS 16

struct pool {
	struct pool *next;
	char *path;		      /* of the program */
	int64_t rest;		      /* ns not told yet; below 0 when more was told than used */
	uint32_t stacks[POOL_STACKS]; /* of the program's last samples, by turns; 0 none */
	unsigned next_put, next_get;
};

struct pools {
	struct pool *first;
};

/* The pool of a program; made when it is new. */
struct pool *pools_get(struct pools *pools, const char *path);
/* Remember the stack of a sample. */
void pool_put(struct pool *pool, uint32_t stack);
/* One of the stacks remembered, each in its turn; 0 when there is none. */
uint32_t pool_get(struct pool *pool);
void pools_release(struct pools *pools);

#endif
