/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time that no sample stands for. A task's time on the processor is known
 * exactly; its samples times the period fall short of it where the kernel was
 * executing (which an ordinary user cannot sample), where records were lost,
 * and at the end of each task by less than a period.
 *
 * What is missing between two samples is placed where both were, what is
 * missing at the end where the task was last; what is less than a period goes
 * to the residue of the task's program. Records that the kernel dropped explain
 * missing samples first: those are lost, and none is made for them.
 */
#ifndef VIGIL_SAMPLER_ESTIMATE_H
#define VIGIL_SAMPLER_ESTIMATE_H

#include "sampler/sampler.h"

struct sample_ledger;
struct short_tasks;
struct stacks;
struct step_clock;
struct task;

/* What it works on; all borrowed. */
struct estimate_parts {
	const struct step_clock *clock;
	struct sample_ledger *ledger;
	struct stacks *stacks;
	const struct short_tasks *short_tasks;
	const enum privilege *privilege;
};

struct estimate {
	struct estimate_parts parts;
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

#endif
