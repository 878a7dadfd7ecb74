/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Corrects for the cost of task switches. For the kernel a task has the processor
 * from the moment it is chosen: the switch itself, the first work of its events
 * and the exit from the idle loop are its CPU time, in rusage and in its own
 * clocks. The record of the switch is written after all that, so a wait's length
 * from records is too large by this amount, and the CPU time too small: some ten
 * microseconds a switch, a tenth of a wait of 0.2 ms.
 *
 * The amount is the kernel's CPU time of a task minus that by records, between two
 * looks at it while it waits. A look counts if the kernel has as many switches as
 * there were records between the two: then no record was lost, and none is
 * outstanding. For a task without such looks the figures of all tasks of the step
 * are used. Each wait gets shorter by the mean for a switch, and the task's CPU
 * time longer. Waits and run-queue times are separate: what many preemptions took
 * is not subtracted from one long wait.
 */
#ifndef VIGIL_SAMPLER_SWITCHING_H
#define VIGIL_SAMPLER_SWITCHING_H

#include "common/compat.h"

struct procfs_schedule;
struct step_clock;
struct task;
struct wait_amount;

/* A number of switches, and the ns that they took. */
struct switching_sums {
	double switches, ns;
};

/* State of one task. */
struct task_switching {
	bool based; /* the figures of the kernel and of the records at the last look are valid */
	uint64_t kernel_cpu, kernel_slices;
	uint64_t cpu, switches, paused;
	struct switching_sums sums;
	/* Of [0] waits, [1] delays: */
	unsigned early[2]; /* number of those that ended before the cost was known */
	uint64_t owed[2];  /* ns that exceeded those so far */
	uint64_t taken; /* ns subtracted from waits: CPU time in addition to that by records */
};

/* Sums of all tasks. */
struct switching {
	struct switching_sums sums;
	uint64_t taken;
	uint64_t
		charged[2]; /* ns of this snapshot no longer charged to [0] waits, [1] delays */
};

/* Begins a task that starts while the session observes it. */
void switching_begin(struct task *task);
/* Marks that later figures of the task are not comparable with earlier ones. */
void switching_break(struct task *task);
/* Takes the kernel's figures of a waiting task at a look. */
void switching_look(struct switching *switching, const struct step_clock *clock, struct task *task,
		    const struct procfs_schedule *schedule);
/*
 * Shortens a wait of the task that is over (delay: it was run-queue time); part is
 * the last part of it.
 */
void switching_take(struct switching *switching, struct task *task, struct wait_amount *part,
		    bool delay);
/*
 * Moves this snapshot's ns from *wait and *delay to *exec, which are the parts of
 * its run time; begins the next one.
 */
void switching_take_charges(struct switching *switching, uint64_t *exec, uint64_t *wait, uint64_t *delay);

#endif
