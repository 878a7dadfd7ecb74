/* SPDX-License-Identifier: Apache-2.0 */
/* What prompt.h keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_PROMPT_H
#define VIGIL_SAMPLER_TASK_PROMPT_H

#include "common/compat.h"

struct prompt_sample;

/* What is kept for each task; all zero at its start. */
struct task_prompt {
	struct prompt_sample *kept; /* samples that were looked at and not applied yet, by time */
	uint64_t passed;	    /* ns of samples since one was looked at */
};

#endif
