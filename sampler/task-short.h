/* SPDX-License-Identifier: Apache-2.0 */
/* What short-tasks.h keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_SHORT_H
#define VIGIL_SAMPLER_TASK_SHORT_H

#include "common/compat.h"

/* State of one task; private to short-tasks.c. */
struct task_short {
	bool finer;	  /* it has events of the finer period too */
	bool unsure;	  /* but perhaps not on each processor: its samples will show */
	uint64_t seen_on; /* set of processors, modulo 64, with finer samples of it */
	uint64_t asked;	  /* time at which the finer events were requested; 0: inherited */
	uint64_t given;	  /* time at which they were set up */
	uint64_t fork;	  /* time at which it last started a task */
	uint64_t sampled; /* ns that its samples stand for */
	int64_t steered;  /* ns of its initial credit that came from the residue */
	unsigned started; /* number of tasks that it started since the last look */
};

#endif
