/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the stack that is shown for an observed task.
 *
 * The plain way: the frames are walked (program/unwind) and interned (stacks.h).
 * If data collectors are called for the process, there are more steps: the task is
 * stopped if one of them wants that, they are asked in turn (collect.h), and the
 * places that they name replace frames (answers.h). If they have no answer, the
 * stack is the plain one.
 *
 * The transaction that collectors name is returned, and comes into force only with
 * stack_resolve_apply: a sample may be resolved before it is processed in order.
 */
#ifndef VIGIL_SAMPLER_STACK_RESOLVE_H
#define VIGIL_SAMPLER_STACK_RESOLVE_H

#include "program/unwind/unwind.h"
#include "sampler/query.h"

struct collect;
struct observation;
struct observed_sample;
struct probe_site;
struct stacks;
struct task_stops;
struct transactions;

/* The parts it uses; all borrowed. */
struct stack_resolver {
	struct stacks *stacks;
	struct collect *collect; /* NULL: no data collectors */
	struct task_stops *task_stops;
	struct transactions *transactions;
	bool looks_down; /* frames of samples are kept for stack_resolve_down */
	struct unwind_frame frames[UNWIND_MAX_FRAMES]; /* scratch: frames of the walk in progress */
};

void stack_resolve_init(struct stack_resolver *resolver, struct stacks *stacks,
			struct collect *collect, struct task_stops *task_stops,
			struct transactions *transactions);
/*
 * Resolves a sample that has registers (abi is not 0). in_force: id of the
 * transaction in force for the task at the sample's time.
 */
void stack_resolve_sample(struct stack_resolver *resolver, struct task *task,
			  const struct observation *seen, uint64_t in_force,
			  struct resolved_stack *resolved);
/* Returns its stack without asking data collectors, and without frames of the kernel. */
uint32_t stack_resolve_plain(struct stack_resolver *resolver, struct task *task,
			     const struct observation *seen);
/*
 * Gets the same from the recorded part of the stack alone, as the task has
 * continued since; returns false if the walk needs more.
 */
bool stack_resolve_recorded(struct stack_resolver *resolver, struct task *task,
			   const struct observation *seen, uint32_t *stack);
/*
 * Returns the stack of a task that was given a page of memory; 0: it is not whole, or data
 * collectors would have to tell.
 */
uint32_t stack_resolve_page(struct stack_resolver *resolver, struct task *task,
			    const struct observation *seen);
/* Fills in_kernel and inner: a sample in the kernel has the kernel's frames inside. */
void stack_resolve_kernel(struct stack_resolver *resolver, const struct task *task,
			  const struct observed_sample *sample, struct resolved_stack *resolved);
/* Resolves a wait that a look found; frames are those that it found. */
void stack_resolve_wait(struct stack_resolver *resolver, struct task *task,
			const struct probe_site *found, const struct unwind_frame *frames,
			uint64_t in_force, struct resolved_stack *resolved);
/*
 * Returns the stack of a task that executes in the kernel now, walked downwards from its
 * last sample's, as data collectors show it; 0: not known. *calls_system: its innermost
 * function is one that calls the system.
 */
uint32_t stack_resolve_down(struct stack_resolver *resolver, struct task *task, uint64_t time, uint64_t in_force,
			    bool *calls_system);
/*
 * Resolves a task that executes and whose registers are unknown: only data
 * collectors can know where. Returns false if there are none for it.
 */
bool stack_resolve_unseen(struct stack_resolver *resolver, struct task *task, uint64_t in_force,
			  struct resolved_stack *resolved);
/*
 * Puts the transaction that collectors named in force from a monotonic time on,
 * unless the one that named it was switched off since.
 */
void stack_resolve_apply(struct stack_resolver *resolver, const struct task *task,
			 const struct resolved_stack *resolved, uint64_t time);
/* Does the same from the time at which it was read, which the records may not have reached yet. */
void stack_resolve_apply_ahead(struct stack_resolver *resolver, const struct task *task,
			       const struct resolved_stack *resolved);

#endif
