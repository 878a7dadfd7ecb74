/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short scheduling slices: a thread that asks for them gets the processor soon
 * after it wakes, also where others use it all the time, and in exchange keeps
 * it only for a short time. Its share stays the same; no privilege is needed.
 *
 * Source: sched_setattr(2), sched_runtime of a SCHED_OTHER thread (Linux 6.12
 * and later; before, it changes nothing).
 */
#ifndef VIGIL_SAMPLER_SCHED_SLICE_H
#define VIGIL_SAMPLER_SCHED_SLICE_H

/* Ask for short slices for the calling thread; what it starts has slices of the usual length. */
void sched_slice_shorten(void);

#endif
