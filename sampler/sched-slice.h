/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short scheduling slices: a thread that asks for them gets the processor soon
 * after it wakes, also where others use it all the time, and in exchange keeps
 * it only for a short time. Its share stays the same; no privilege is needed.
 *
 * Where a step has hundreds of tasks that can run, an even share is too little
 * to serve a session. Who may (CAP_SYS_NICE) takes a greater one with the
 * highest nice value: the sum that a session uses is small, it only must come
 * in time.
 *
 * Source: sched_setattr(2), sched_runtime of a SCHED_OTHER thread (Linux 6.12
 * and later; before, it changes nothing).
 */
#ifndef VIGIL_SAMPLER_SCHED_SLICE_H
#define VIGIL_SAMPLER_SCHED_SLICE_H

#include "common/compat.h"

/* What the calling thread was before it served a session. */
struct sched_served {
	bool changed;
	int nice;
};

/* Ask for short slices for the calling thread; what it starts has slices of the usual length. */
void sched_slice_shorten(void);
/* The calling thread serves a session from now on; what it starts is as before, but for a nice
   value below 0, which becomes 0. */
void sched_serve(struct sched_served *before);
/* It does no longer. May be called again. */
void sched_serve_end(struct sched_served *before);

#endif
