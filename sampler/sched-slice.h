/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short scheduling slices: a thread that requests them gets the processor soon
 * after it wakes up, even if others use it all the time, and in exchange keeps it
 * only for a short time. Its share stays the same; no privilege is needed.
 *
 * If a step has hundreds of runnable tasks, an equal share is too little to serve
 * a session. With CAP_SYS_NICE the thread gets a larger one by the highest
 * priority: a session uses little CPU time in total, but needs it promptly.
 *
 * Source: sched_setattr(2), sched_runtime of a SCHED_OTHER thread (Linux 6.12 and
 * later; no effect before).
 */
#ifndef VIGIL_SAMPLER_SCHED_SLICE_H
#define VIGIL_SAMPLER_SCHED_SLICE_H

#include "common/compat.h"

/* Scheduling of the calling thread before it served a session. */
struct sched_served {
	bool changed;
	int nice;
};

/* Requests short slices for the calling thread; its children have slices of the usual length. */
void sched_slice_shorten(void);
/*
 * Begins to serve a session in the calling thread; its children are scheduled as
 * before, except that a nice value below 0 becomes 0.
 */
void sched_serve(struct sched_served *before);
/* Ends that. May be called again. */
void sched_serve_end(struct sched_served *before);

#endif
