/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EXEC: what the kernel tells of a process by taskstats only: how long its
 * threads were held up, and by what (seed 003: a supporter stands between
 * producers and what works for them in the kernel). Only root may ask.
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

/* All threads that a process has had, added up. UINT64_MAX: it is not known. */
struct task_delays {
	uint64_t count[DELAY_KINDS], total[DELAY_KINDS]; /* ns */
};

/* False: nothing is known of the process. */
bool task_statistics_ask(struct task_statistics *tasks, uint64_t pid, struct task_delays *delays);
/*
 * Takes the delays from what the kernel says, a struct taskstats of any length.
 * Without "counted", those other than for processors are known only when there are
 * any: 0 may mean that nobody has counted.
 */
void task_delays_take(const unsigned char *bytes, size_t length, bool counted,
		      struct task_delays *delays);

#endif
