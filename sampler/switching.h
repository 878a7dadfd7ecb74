/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What switching takes. By the kernel's books a task has the processor from the moment it is
 * chosen: the switch itself, its events' first work and the way out of the idle loop are its CPU
 * time, as rusage and its own clocks have it. The record of the switch is written when all that is
 * over, so a wait's length, from records, is too large by as much, and the CPU time too small: some
 * ten microseconds a switch, a tenth of a wait of 0.2 ms.
 *
 * How much it is follows from the kernel's sum of a task's CPU time less that by records, from one
 * look at a waiting task to another. A look counts when the kernel has as many switches as there
 * were records between the two: then nothing was lost, and nothing is still to come. What the
 * step's other tasks told is taken for a task of which nothing is known yet. Each wait is shorter
 * by the mean for a switch, and the task's CPU time longer.
 */
#ifndef VIGIL_SAMPLER_SWITCHING_H
#define VIGIL_SAMPLER_SWITCHING_H

#include "common/compat.h"

struct procfs_schedule;
struct step_clock;
struct task;
struct wait_amount;

/* So many switches, and the ns that they took. */
struct switching_sums {
	double switches, ns;
};

/* What is kept of each task. */
struct task_switching {
	bool based; /* what the kernel and the records had at the look before is known */
	uint64_t kernel_cpu, kernel_slices;
	uint64_t cpu, switches, paused;
	struct switching_sums sums;
	unsigned early; /* waits that were over before anything was known */
	uint64_t owed;	/* ns that no wait had room for */
	uint64_t taken; /* ns taken out of waits: CPU time beyond that by records */
};

/* All tasks'. */
struct switching {
	struct switching_sums sums;
	uint64_t taken;
	uint64_t
		charged[2]; /* ns of this snapshot that are no longer charged to waits, to delays */
};

/* The task begins in sight of the session. */
void switching_begin(struct task *task);
/* What is counted from here on is not comparable with what was counted before. */
void switching_break(struct task *task);
/* The kernel says this of a task that waits. */
void switching_look(struct switching *switching, const struct step_clock *clock, struct task *task,
		    const struct procfs_schedule *schedule);
/* A wait of the task is over (delay: it was ready only), the last part of which came to this: make
 * it shorter. */
void switching_take(struct switching *switching, struct task *task, struct wait_amount *part,
		    bool delay);
/* The snapshot's ns by which less of the run time was spent in waits and in delays, and more
   executing, of so much each; begins the next. */
void switching_cut(struct switching *switching, uint64_t *exec, uint64_t *wait, uint64_t *delay);

#endif
