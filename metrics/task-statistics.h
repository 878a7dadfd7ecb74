/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EXEC: data on a process that only taskstats has: how long its threads were
 * delayed, and by what (seed 003: a supporter mediates between producers and their
 * service in the kernel). Only root may query it.
 */
#ifndef VIGIL_METRICS_TASK_STATISTICS_H
#define VIGIL_METRICS_TASK_STATISTICS_H

#include "metrics/metric.h"

enum task_delay {
	DELAY_CPU,
	DELAY_BLOCK,
	DELAY_SWAP,
	DELAY_RECLAIM,
	DELAY_THRASHING,
	DELAY_COMPACTION,
	DELAY_WRITE_COPY,
	DELAY_KINDS
};

/* Sums over all threads that a process has had. UINT64_MAX: unknown. */
struct task_delays {
	uint64_t count[DELAY_KINDS], total[DELAY_KINDS]; /* ns */
};

/* Queries the delays of a process. Returns false when they are unknown. */
bool task_statistics_ask(struct task_statistics *tasks, uint64_t pid, struct task_delays *delays);
/*
 * Extracts the delays from a struct taskstats of any length. Without "counted",
 * those other than for processors are known only if they are above 0, as 0 may
 * mean that they were not counted.
 */
void task_delays_take(const unsigned char *bytes, size_t length, bool counted,
		      struct task_delays *delays);

#endif
