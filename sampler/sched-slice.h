/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short turns on the processor: a thread that asks for them gets the processor
 * soon after it wakes, also where others use it all the time, and in exchange
 * not for long at once. Its share stays the same; no privilege is needed.
 *
 * Source: sched_setattr(2), sched_runtime of a SCHED_OTHER thread (Linux 6.12
 * and later; before, it changes nothing).
 */
#ifndef VIGIL_SAMPLER_SCHED_SLICE_H
#define VIGIL_SAMPLER_SCHED_SLICE_H

/* Ask for short turns of the calling thread; what it starts has turns of the usual length. */
void turns_shorten(void);

#endif
