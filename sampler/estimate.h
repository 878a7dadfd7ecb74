/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time that no sample stands for. A task's time on the processor is known
 * exactly; its samples times the period fall short of it where the kernel was
 * executing (which an ordinary user cannot sample) and at the end of each task by less than a
 * period.
 *
 * What is missing between two samples is placed where both were, what is
 * missing at the end where the task was last; what is less than a period goes
 * to the residue of the task's program. What tasks used of which there is no
 * sample at all waits for others of the program to show where such time goes.
 * What records that the kernel dropped would have told is another matter (losses.h).
 */
#ifndef VIGIL_SAMPLER_ESTIMATE_H
#define VIGIL_SAMPLER_ESTIMATE_H

#include "sampler/sampler-config.h"

struct residues;
struct sample_ledger;
struct short_tasks;
struct stacks;
struct step_clock;
struct stolen;
struct task;
struct tasks;

/* What it works on; all borrowed. */
struct estimate_parts {
	const struct step_clock *clock;
	struct sample_ledger *ledger;
	struct stacks *stacks;
	const struct short_tasks *short_tasks;
	struct residues *residues;
	const struct tasks *tasks;
	struct stolen *stolen;
	const enum privilege *privilege;
};

struct estimate {
	struct estimate_parts parts;
	uint64_t unplaced; /* ns of tasks of which no sample was taken and nobody showed where */
};

void estimate_init(struct estimate *estimate, const struct estimate_parts *parts);
/* A sample with a stack has come, before it is added: place the ones missed before it. */
void estimate_before(struct estimate *estimate, struct task *task, uint32_t stack, uint64_t time);
/* Place what is missing: when it is much, or all there is. */
void estimate_settle(struct estimate *estimate, struct task *task, uint64_t time, bool all);
/* Samples of a task of which nothing but its program is known (PROC). */
void estimate_program(struct estimate *estimate, struct task *task, uint64_t time);
/* A stack for CPU time of a task of which none was seen: as near as it is known, never 0. */
uint32_t estimate_stack(const struct estimate *estimate, const struct task *task);
/* The task has ended (its state is ENDED): its rest goes to the residue of its program. */
void estimate_end(struct estimate *estimate, struct task *task, uint64_t time);
/* All has been seen: tell what the residues still hold. */
void estimate_finish(struct estimate *estimate, uint64_t time);
/*
 * The system counted so many ns more for the step than records tell of. The kernel takes a task's
 * events away before the task is at its end, and its own work at a switch is between two records:
 * as much as such work comes to is told as the kernel's, by how many tasks of each program ended.
 */
/* How many switches there were, and the ns that they are known to have taken (switching.h). */
struct estimate_switches {
	uint64_t count, taken;
};

/* So much at most, in ns. */
uint64_t estimate_ends_most(const struct estimate *estimate,
			    const struct estimate_switches *switches);
void estimate_ends(struct estimate *estimate, uint64_t beyond,
		   const struct estimate_switches *switches, uint64_t time);

#endif
