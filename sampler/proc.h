/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lowest privilege level: no kernel records at all. Every tick reads the tasks
 * of the tree in /proc: which exist, their states, their CPU time. Times of states
 * have the resolution of the tick; CPU time is exact.
 */
#ifndef VIGIL_SAMPLER_PROC_H
#define VIGIL_SAMPLER_PROC_H

#include "common/compat.h"

#define PROC_TICK_MS 10

struct sampler;

/* Brings the data on the step up to a monotonic time, which is about now. */
void proc_scan(struct sampler *sampler, uint64_t time);

#endif
