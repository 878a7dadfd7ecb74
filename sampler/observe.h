/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies the kernel's records, in order of time, to what is known of the
 * step. Where records were lost, nothing that is known of states is sure: then
 * tasks that were not heard of are taken in, and the tick looks at /proc.
 */
#ifndef VIGIL_SAMPLER_OBSERVE_H
#define VIGIL_SAMPLER_OBSERVE_H

#include "sampler/perf.h"

struct sampler;
struct task;

struct observe {
	uint64_t records_lost; /* of the whole session */
	uint64_t next_change;  /* time of the next transaction change */
	uint64_t blocked;      /* tasks that began to wait; the tick takes it */
	bool switches_lost;    /* the states of tasks may be wrong; likewise */
	bool verify;	       /* see whether tasks are still there; likewise */
};

void observe_init(struct observe *observe);
/* Take all kernel records up to a monotonic time; returns the largest fill of a ring, percent. */
unsigned observe_drain(struct sampler *sampler, uint64_t time);
/* perf_each: apply one record. argument: struct sampler. */
void observe_record(void *argument, const struct observation *seen);
/* Take all there are. */
void observe_all(struct sampler *sampler);
/* Transactions changed up to time. */
void observe_transactions(struct sampler *sampler, uint64_t time);
/* A task has ended without a record. */
void observe_end(struct sampler *sampler, struct task *task);

#endif
