/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes samples for CPU time that no sample stands for. A task's time on the
 * processor is known exactly; its samples times the period are less than that if
 * the kernel was executing (which cannot be sampled without privilege), and by
 * less than a period at the end of each task.
 *
 * What is missing between two samples is placed where both were, or where that one
 * was of which data collectors knew the place; what is missing at the end, where the task was last; less than a period goes to the residue of
 * the task's program. The CPU time of tasks without any sample is held until
 * others of the program show where such time is used. Where the kernel is not
 * sampled, looks tell where it executed (kernel-looks.h); for this, and for what
 * they do not know, samples are taken at least each ESTIMATE_GAP, however few of
 * them are kept: the others count as places, too. Records that the kernel
 * dropped are treated separately (losses.h).
 */
#ifndef VIGIL_SAMPLER_ESTIMATE_H
#define VIGIL_SAMPLER_ESTIMATE_H

#include "sampler/sampler-config.h"

struct kernel_looks;
struct residues;
struct resolved_stack;
struct sample_ledger;
struct short_tasks;
struct stacks;
struct step_clock;
struct stolen;
struct task;
struct tasks;

/* The parts it uses; all borrowed. */
struct estimate_parts {
	const struct step_clock *clock;
	struct sample_ledger *ledger;
	struct stacks *stacks;
	const struct short_tasks *short_tasks;
	struct residues *residues;
	const struct tasks *tasks;
	struct stolen *stolen;
	struct kernel_looks *looks; /* NULL: none */
	const enum privilege *privilege;
};

struct estimate {
	struct estimate_parts parts;
	uint64_t unplaced; /* ns of tasks without a sample for which no other task showed a place */
};

/* Maximum period of the events, ns, if the kernel is not sampled. */
#define ESTIMATE_GAP UINT64_C(8000000)

/* Returns the period of the events on tasks for samples that stand for period ns each. */
static inline uint64_t estimate_event_period(enum privilege privilege, uint64_t period)
{
	return privilege == PRIVILEGE_USER && period > ESTIMATE_GAP ? ESTIMATE_GAP : period;
}

void estimate_init(struct estimate *estimate, const struct estimate_parts *parts);
/* Adds the samples missed before a new sample; call before that is added. */
void estimate_before(struct estimate *estimate, struct task *task, const struct resolved_stack *seen, uint64_t time);
/*
 * For a sample that is not kept, after it was counted: adds what is missing before it, as
 * far as looks know its place. Returns whether more is: then estimate_place adds it, with
 * the stack of that sample.
 */
bool estimate_pass(struct estimate *estimate, struct task *task, uint64_t time);
void estimate_place(struct estimate *estimate, struct task *task, uint32_t stack, uint64_t time);
/* Adds the missing samples, if there are many, or all there are (all). */
void estimate_settle(struct estimate *estimate, struct task *task, uint64_t time, bool all);
/*
 * A task waits since a time (monotonic), or has until now: adds what it missed before, if
 * the wait was long. So that is where the task was before the wait, not after it.
 */
void estimate_wait(struct estimate *estimate, struct task *task, uint64_t since, uint64_t now);
/* Adds samples of a task of which only its program is known (PROC). */
void estimate_program(struct estimate *estimate, struct task *task, uint64_t time);
/* Returns a stack for CPU time of a task without a sample, as exact as possible; never 0. */
uint32_t estimate_stack(const struct estimate *estimate, const struct task *task);
/*
 * The task has ended (its state is ENDED): adds the rest of its time to the
 * residue of its program.
 */
void estimate_end(struct estimate *estimate, struct task *task, uint64_t time);
/* All has been seen: adds samples for what the residues still hold. */
void estimate_finish(struct estimate *estimate, uint64_t time);
/*
 * Samples for the ns that the system counted for the step beyond the records. The
 * kernel removes a task's events before the task is at its end, and its work at a
 * switch is between two records: the amount plausible for such work is shown as
 * the kernel's, by the number of ended tasks of each program.
 */
/* Number of switches, and the ns that they are known to have taken (switching.h). */
struct estimate_switches {
	uint64_t count, taken;
};

/* Returns the maximum of such time, ns. */
uint64_t estimate_ends_max(const struct estimate *estimate,
			    const struct estimate_switches *switches);
void estimate_ends(struct estimate *estimate, uint64_t beyond,
		   const struct estimate_switches *switches, uint64_t time);

#endif
