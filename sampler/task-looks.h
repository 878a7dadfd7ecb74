/* SPDX-License-Identifier: Apache-2.0 */
/* What wait-looks.c keeps of each task: the looks at it. */
#ifndef VIGIL_SAMPLER_TASK_LOOKS_H
#define VIGIL_SAMPLER_TASK_LOOKS_H

#include <stdbool.h>
#include <stdint.h>

struct task_looks {
	/* For the wait in progress: */
	unsigned failed_looks;	 /* rounds with an unsuccessful look */
	bool unanswered; /* data collectors must be asked again */
	unsigned asked;	 /* how often they had no answer */
	uint64_t ask_at; /* active clock: not before this */

	uint64_t slices; /* times that it had been given a processor at the last look */
};

/* Resets the state, as another wait begins. */
static inline void task_looks_begin(struct task_looks *looks)
{
	looks->failed_looks = looks->asked = 0;
	looks->unanswered = false;
}

#endif
