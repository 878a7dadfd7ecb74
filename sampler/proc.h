/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lowest rung: no kernel records at all. Every tick the tasks of the tree
 * are looked at in /proc: who is there, what state it is in, how much CPU time
 * it has used. Times of states are as fine as the tick; CPU time is exact.
 */
#ifndef VIGIL_SAMPLER_PROC_H
#define VIGIL_SAMPLER_PROC_H

#include "common/compat.h"

#define PROC_TICK_MS 10

struct sampler;

/* Bring what is known of the step up to a monotonic time, which is about now. */
void proc_scan(struct sampler *sampler, uint64_t time);

#endif
