/* SPDX-License-Identifier: Apache-2.0 */
/* What short-tasks.h keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_SHORT_H
#define VIGIL_SAMPLER_TASK_SHORT_H

#include "common/compat.h"

/* What is kept of each task; this part's alone. */
struct task_short {
	bool finer;	  /* it has events of the finer period too */
	bool unsure;	  /* perhaps not on each processor: its samples tell */
	uint64_t seen_on; /* processors, modulo 64, that finer samples came from */
	uint64_t asked;	  /* when it was to be given finer events; of one that inherited them 0 */
	uint64_t given;	  /* when it had been */
	uint64_t fork;	  /* when it started a task last */
	uint64_t sampled; /* ns that its samples stand for */
	int64_t steered;  /* ns of the credit it began with that its residue gave */
	unsigned started; /* tasks it started since the last look */
};

#endif
