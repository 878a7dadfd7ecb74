/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies the kernel's records, in order of time, to the data on the step. If
 * records were lost, the states of tasks are uncertain: then unknown tasks are
 * added, and the tick checks /proc.
 */
#ifndef VIGIL_SAMPLER_OBSERVE_H
#define VIGIL_SAMPLER_OBSERVE_H

#include "sampler/perf.h"

struct sampler;
struct task;

struct observe {
	uint64_t records_lost; /* in the whole session */
	uint64_t next_change;  /* time of the next transaction change */
	uint64_t blocked;      /* tasks that began to wait; the tick clears this */
	bool switches_lost;    /* the states of tasks may be wrong; the tick clears this */
	bool verify;	       /* check whether tasks still exist; the tick clears this */
};

void observe_init(struct observe *observe);
/*
 * Applies all kernel records up to a monotonic time; returns the largest fill of a
 * ring, percent.
 */
unsigned observe_drain(struct sampler *sampler, uint64_t time);
/* perf_each: applies one record. argument: struct sampler. */
void observe_record(void *argument, const struct observation *seen);
/* Applies all records up to now. */
void observe_all(struct sampler *sampler);
/* Applies the changes of transactions up to time. */
void observe_transactions(struct sampler *sampler, uint64_t time);
/* Ends a task for which there is no record of its end. */
void observe_end(struct sampler *sampler, struct task *task);

#endif
