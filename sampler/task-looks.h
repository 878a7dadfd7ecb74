/* SPDX-License-Identifier: Apache-2.0 */
/* What wait-looks.c keeps of each task: how it was looked at. */
#ifndef VIGIL_SAMPLER_TASK_LOOKS_H
#define VIGIL_SAMPLER_TASK_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

struct task_looks {
	/* Of the wait going on: */
	unsigned vain;	 /* rounds in which it was looked at in vain */
	bool unanswered; /* data collectors are to be asked again */
	unsigned asked;	 /* how often they were asked in vain */
	uint64_t ask_at; /* and not before this, active clock */

	uint64_t slices; /* how often it had been given a processor when it was looked at last */
};

/* Another wait begins. */
static inline void task_looks_begin(struct task_looks *looks)
{
	looks->vain = looks->asked = 0;
	looks->unanswered = false;
}

#endif
