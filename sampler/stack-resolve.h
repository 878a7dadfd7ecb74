/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a task that was observed to the stack that is shown for it.
 *
 * The plain way: the frames are walked (program/unwind) and interned
 * (stacks.h). Where data collectors are called for the process there is a
 * detour: the task is stopped if one of them wants that, they are asked in turn
 * (collect.h), and what they name takes the place of frames (answers.h). Where
 * they say nothing, the stack is the plain one.
 *
 * The transaction that collectors name is told, and comes into force only by
 * stack_resolve_apply: a sample may be resolved before its turn comes.
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

/* The parts it works with; all are borrowed. */
struct stack_resolver {
	struct stacks *stacks;
	struct collect *collect; /* NULL: there are no data collectors */
	struct task_stops *task_stops;
	struct transactions *transactions;
	struct unwind_frame frames[UNWIND_MAX_FRAMES]; /* scratch: of the walk going on */
};

void stack_resolve_init(struct stack_resolver *resolver, struct stacks *stacks,
			struct collect *collect, struct task_stops *task_stops,
			struct transactions *transactions);
/* The stack of a sample that has registers (abi is not 0). in_force: id of the transaction in force
   for the task at the sample's time. */
void stack_resolve_sample(struct stack_resolver *resolver, struct task *task,
			  const struct observation *seen, uint64_t in_force,
			  struct resolved_stack *resolved);
/* The same without asking data collectors, and without frames of the kernel. */
uint32_t stack_resolve_plain(struct stack_resolver *resolver, struct task *task,
			     const struct observation *seen);
/* The same from what the sample brought alone: the task has gone on since. False when that does not
   reach its outermost frame. */
bool stack_resolve_brought(struct stack_resolver *resolver, struct task *task,
			   const struct observation *seen, uint32_t *stack);
/* Fill in_kernel and inner: a sample that was executing in the kernel has its frames inside. */
void stack_resolve_kernel(struct stack_resolver *resolver, const struct task *task,
			  const struct observed_sample *sample, struct resolved_stack *resolved);
/* The stack of a wait that was looked at; frames are those that were found. */
void stack_resolve_wait(struct stack_resolver *resolver, struct task *task,
			const struct probe_site *found, const struct unwind_frame *frames,
			uint64_t in_force, struct resolved_stack *resolved);
/* The stack of a task that executes and whose registers are not known: only data collectors can
   tell where. False when there are none for it. */
bool stack_resolve_unseen(struct stack_resolver *resolver, struct task *task, uint64_t in_force,
			  struct resolved_stack *resolved);
/* Put the transaction that collectors named in force from a monotonic time on, unless the one that
   named it was switched off since. */
void stack_resolve_apply(struct stack_resolver *resolver, const struct task *task,
			 const struct resolved_stack *resolved, uint64_t time);
/* The same from the moment at which it was read, which the records may not have reached yet. */
void stack_resolve_apply_ahead(struct stack_resolver *resolver, const struct task *task,
			       const struct resolved_stack *resolved);

#endif
