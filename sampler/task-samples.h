/* SPDX-License-Identifier: Apache-2.0 */
/* What sample-ledger.h keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_SAMPLES_H
#define VIGIL_SAMPLER_TASK_SAMPLES_H

#include "common/compat.h"

/* A task's account; the ledger's alone. */
struct task_samples {
	uint64_t count; /* kept, each standing for one period */
	uint64_t solo;	/* of them, with SAMPLE_SOLO */
	uint64_t stolen; /* ns without a sample that a hypervisor had taken */
	int64_t credit; /* ns sampled that did not make a whole period yet */
	int64_t phase;	/* ns of credit it began with (short-tasks.h) */
};

#endif
