/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of tasks that ended with less than a whole sample, summed up by program. */
#ifndef VIGIL_SAMPLER_POOL_H
#define VIGIL_SAMPLER_POOL_H

#include "common/compat.h"

struct pool {
	struct pool *next;
	char *path;	/* of the program */
	int64_t rest;	/* ns not told yet; below 0 when more was told than used */
	uint32_t stack; /* of the program's last sample; 0 none */
};

struct pools {
	struct pool *first;
};

/* The pool of a program; made when it is new. */
struct pool *pools_get(struct pools *pools, const char *path);
void pools_release(struct pools *pools);

#endif
