/* SPDX-License-Identifier: Apache-2.0 */
/* Makes samples for CPU time that none stands for. */
#include "common/compat.h"
#include "sampler/estimate.h"
#include "sampler/residue.h"
#include "sampler/sample-ledger.h"
#include "sampler/short-tasks.h"
#include "sampler/stacks.h"
#include "sampler/tasks.h"

/* So many missing samples wait at most for the next sample to show their place. */
#define DEFERRED_MAX 64
/* While lots are drawn (short-tasks.h), a residue's rest goes up and down by this many periods. */
#define LOTS_BOUND 4

void estimate_init(struct estimate *estimate, const struct estimate_parts *parts)
{
	*estimate = (struct estimate){ .parts = *parts };
}

/* The flags of a sample whose stack was put together. */
static unsigned estimate_flags(const struct estimate *estimate, uint32_t stack)
{
	return stacks_is_whole(estimate->parts.stacks, stack) ? 0 : SAMPLE_BROKEN;
}

/* ns on the processor that samples, credit and losses do not stand for; may be negative. */
static int64_t unaccounted(const struct estimate *estimate, const struct task *task)
{
	uint64_t cpu = task->cpu;

	if (task->state == TASK_RUNNING && *estimate->parts.privilege != PRIVILEGE_PROC)
		cpu += estimate->parts.clock->active - task->since;
	return (int64_t)cpu - sample_ledger_stands_for(estimate->parts.ledger, task);
}

/* The stack on which the kernel executed for a task. */
static uint32_t kernel_stack(const struct estimate *estimate, const struct task *task,
			     uint32_t caller)
{
	struct stacks *stacks = estimate->parts.stacks;
	const struct object *kernel =
		object_for_kind(stacks->objects, OBJECT_KERNEL, task->process->pid, 0, 0);

	return stacks_push(stacks, caller, stacks_frame(stacks, kernel, 0, task->process->pid));
}

/* Add count samples that were missed, called from caller. */
static void add_missed(struct estimate *estimate, struct task *task, int64_t count, uint32_t caller,
		       uint64_t time)
{
	struct sample_ledger *ledger = estimate->parts.ledger;
	enum sample_kind kind = SAMPLE_RESIDUE;
	uint32_t stack = caller;

	if (*estimate->parts.privilege != PRIVILEGE_FULL || !stack) {
		kind = SAMPLE_KERNEL_ESTIMATED;
		stack = kernel_stack(estimate, task, caller);
	}
	for (; count > 0; count--) {
		uint64_t back = (uint64_t)count * ledger->period;

		/* The kernel says that it dropped records: this was one of them. */
		if (sample_ledger_lose(ledger, task))
			continue;
		sample_ledger_add(ledger, task, time > task->start + back ? time - back : time,
				  stack, kind, estimate_flags(estimate, stack));
	}
}

/*
 * The place of what was missed between two samples: what they have in common
 * and, where their ways part, a call further on one's or the other's, by turns.
 */
static uint32_t place_between(const struct estimate *estimate, uint32_t before, uint32_t after)
{
	const struct stacks *stacks = estimate->parts.stacks;
	uint32_t common = stacks_common(stacks, before, after);

	return stacks_below(stacks, common, estimate->parts.ledger->taken & 1 ? after : before);
}

void estimate_before(struct estimate *estimate, struct task *task, uint32_t stack, uint64_t time)
{
	int64_t period = (int64_t)estimate->parts.ledger->period;
	/* The sample that has just come is not counted yet. */
	int64_t count = (unaccounted(estimate, task) - period) / period;

	if (count > 0)
		add_missed(estimate, task, count,
			   task->stack ? place_between(estimate, task->stack, stack) : stack, time);
}

uint32_t estimate_stack(const struct estimate *estimate, const struct task *task)
{
	const struct process *process = task->process;
	struct stacks *stacks = estimate->parts.stacks;
	uint32_t stack;

	if (task->stack)
		return task->stack;
	if (process->residue && (stack = residue_get(process->residue)))
		return stack;
	/* With /proc alone nothing is known of where it works, only where it waits. */
	if (*estimate->parts.privilege != PRIVILEGE_PROC && (stack = waits_recent_stack(task)))
		return stack;
	if (!process->image)
		return kernel_stack(estimate, task, 0);
	return stacks_push(stacks, 0, stacks_frame(stacks, process->image, 0, process->pid));
}

void estimate_settle(struct estimate *estimate, struct task *task, uint64_t time, bool all)
{
	int64_t period = (int64_t)estimate->parts.ledger->period;
	/* The next sample would have come within a period. */
	int64_t count = unaccounted(estimate, task) / period - 1;

	if (count > (all ? 0 : DEFERRED_MAX))
		add_missed(estimate, task, count, estimate_stack(estimate, task), time);
}

/* Add a sample for CPU time of which no place was seen. */
static void add_residue(struct estimate *estimate, struct task *task, uint64_t time)
{
	uint32_t stack = 0;

	/* What short tasks were seen at tells more than where their parent was. */
	if (estimate->parts.short_tasks->on && task->samples.count == 0 && task->process->residue)
		stack = residue_get(task->process->residue);
	if (!stack)
		stack = estimate_stack(estimate, task);
	sample_ledger_add(estimate->parts.ledger, task, time, stack, SAMPLE_RESIDUE,
			  estimate_flags(estimate, stack));
}

void estimate_program(struct estimate *estimate, struct task *task, uint64_t time)
{
	if (!task->process->residue)
		return;
	while (unaccounted(estimate, task) >= (int64_t)estimate->parts.ledger->period) {
		add_residue(estimate, task, time);
	}
}

void estimate_end(struct estimate *estimate, struct task *task, uint64_t time)
{
	struct residue *residue = task->process->residue;
	int64_t period = (int64_t)estimate->parts.ledger->period;
	int64_t bound = estimate->parts.short_tasks->on ? LOTS_BOUND * period : period;
	int64_t rest;

	if (*estimate->parts.privilege != PRIVILEGE_PROC)
		estimate_settle(estimate, task, time, true);
	if (!residue)
		return;
	assert(task->state != TASK_RUNNING);
	rest = (int64_t)task->cpu - sample_ledger_told(estimate->parts.ledger, task);
	residue->rest += rest + task->short_task.steered;
	for (; residue->rest >= bound; residue->rest -= period) {
		add_residue(estimate, task, time);
	}
}
