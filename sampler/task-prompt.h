/* SPDX-License-Identifier: Apache-2.0 */
/* What prompt.h keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_PROMPT_H
#define VIGIL_SAMPLER_TASK_PROMPT_H

#include "common/compat.h"

struct prompt_sample;

/* State of one task; all zero at its start. */
struct task_prompt {
	struct prompt_sample *kept; /* samples resolved and not applied yet, by time */
	uint64_t passed;	    /* ns of samples since the last one that was resolved */
};

#endif
