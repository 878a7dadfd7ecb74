/* SPDX-License-Identifier: Apache-2.0 */
/* What sample-ledger.h keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_SAMPLES_H
#define VIGIL_SAMPLER_TASK_SAMPLES_H

#include "common/compat.h"

/* Sample account of a task; only the ledger accesses it. */
struct task_samples {
	uint64_t count; /* samples kept, each for one period */
	uint64_t solo;	/* those of them with SAMPLE_SOLO */
	uint64_t stolen; /* ns without a sample, because a hypervisor had taken the processor */
	int64_t credit; /* ns sampled that do not make a whole period yet */
	int64_t phase;	/* ns of credit it began with (short-tasks.h) */
};

/*
 * Time without samples of which it is not known yet whether a hypervisor took it: until
 * the records come to the time at which the system was asked what the task has executed.
 * Meanwhile it is left out (stolen in task_samples).
 */
struct task_gap {
	uint64_t length;      /* ns, whole periods; 0: there is none */
	uint64_t executed;    /* ns, in all, at asked_at */
	uint64_t asked_at;    /* monotonic time */
	uint64_t time;	      /* of what is missing, */
	uint64_t transaction; /* in this one, */
	uint32_t caller;      /* and called from this stack */
};

#endif
