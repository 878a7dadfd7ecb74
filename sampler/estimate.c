/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time that no sample stands for. A task's time on the processor is known
 * exactly; its samples times the period fall short of it where the kernel was
 * executing (which an ordinary user cannot sample), where records were lost,
 * and at the end of each task by less than a period.
 */
#include "common/compat.h"
#include "sampler/core.h"

/* So many missing samples wait at most for the next sample to show their place. */
#define DEFERRED_MAX 64
/* While lots are drawn (short-tasks.h), a residue's rest goes up and down by this many periods. */
#define LOTS_BOUND 4

/* ns on the processor that samples, credit and losses do not stand for; may be negative. */
static int64_t unaccounted(const struct sampler *sampler, const struct task *task)
{
	uint64_t cpu = task->cpu;

	if (task->state == TASK_RUNNING && sampler->privilege != PRIVILEGE_PROC)
		cpu += sampler->clock.active - task->since;
	return (int64_t)(cpu - task->lost - task->samples * sampler->period) -
	       (task->credit - task->phase);
}

/* The stack on which the kernel executed for a task. */
static uint32_t kernel_stack(struct sampler *sampler, const struct task *task, uint32_t caller)
{
	const struct object *kernel =
		object_for_kind(&sampler->objects, OBJECT_KERNEL, task->process->pid, 0, 0);

	return stacks_push(&sampler->stacks, caller,
			   stacks_frame(&sampler->stacks, kernel, 0, task->process->pid));
}

/* Add count samples that were missed, called from caller. */
static void add_missed(struct sampler *sampler, struct task *task, int64_t count, uint32_t caller,
		       uint64_t time)
{
	enum sample_kind kind = SAMPLE_RESIDUE;
	uint32_t stack = caller;

	if (sampler->privilege != PRIVILEGE_FULL || !stack) {
		kind = SAMPLE_KERNEL_ESTIMATED;
		stack = kernel_stack(sampler, task, caller);
	}
	for (; count > 0; count--) {
		uint64_t back = (uint64_t)count * sampler->period;

		/* The kernel says that it dropped records: this was one of them. */
		if (sampler->lost_open) {
			sampler->lost_open--;
			sampler->lost++;
			task->lost += sampler->period;
			continue;
		}
		sampler->taken++;
		samples_add(sampler, task, time > task->start + back ? time - back : time, stack,
			    kind, samples_flags(sampler, stack));
	}
}

/*
 * The place of what was missed between two samples: what they have in common
 * and, where their ways part, a call further on one's or the other's, by turns.
 */
static uint32_t place_between(struct sampler *sampler, uint32_t before, uint32_t after)
{
	uint32_t common = stacks_common(&sampler->stacks, before, after);

	return stacks_below(&sampler->stacks, common, sampler->taken & 1 ? before : after);
}

void estimate_before(struct sampler *sampler, struct task *task, uint32_t stack, uint64_t time)
{
	/* The sample that has just come is not counted yet. */
	int64_t count =
		(unaccounted(sampler, task) - (int64_t)sampler->period) / (int64_t)sampler->period;

	if (count > 0)
		add_missed(sampler, task, count,
			   task->stack ? place_between(sampler, task->stack, stack) : stack, time);
}

uint32_t estimate_stack(struct sampler *sampler, const struct task *task)
{
	const struct process *process = task->process;
	uint32_t stack;

	if (task->stack)
		return task->stack;
	if (process->residue && (stack = residue_get(process->residue)))
		return stack;
	/* With /proc alone nothing is known of where it works, only where it waits. */
	if (sampler->privilege != PRIVILEGE_PROC && task->recent_at && task->recent.stack)
		return task->recent.stack;
	if (!process->image)
		return kernel_stack(sampler, task, 0);
	return stacks_push(&sampler->stacks, 0,
			   stacks_frame(&sampler->stacks, process->image, 0, process->pid));
}

void estimate_settle(struct sampler *sampler, struct task *task, uint64_t time, bool all)
{
	/* The next sample would have come within a period. */
	int64_t count = unaccounted(sampler, task) / (int64_t)sampler->period - 1;

	if (count > (all ? 0 : DEFERRED_MAX))
		add_missed(sampler, task, count, estimate_stack(sampler, task), time);
}

/* Add a sample for CPU time of which no place was seen. */
static void add_residue(struct sampler *sampler, struct task *task, uint64_t time)
{
	uint32_t stack = 0;

	/* What short tasks were seen at tells more than where their parent was. */
	if (sampler->short_tasks.on && task->samples == 0 && task->process->residue)
		stack = residue_get(task->process->residue);
	if (!stack)
		stack = estimate_stack(sampler, task);
	sampler->taken++;
	samples_add(sampler, task, time, stack, SAMPLE_RESIDUE, samples_flags(sampler, stack));
}

void estimate_program(struct sampler *sampler, struct task *task, uint64_t time)
{
	if (!task->process->residue)
		return;
	while (unaccounted(sampler, task) >= (int64_t)sampler->period) {
		add_residue(sampler, task, time);
	}
}

void estimate_end(struct sampler *sampler, struct task *task, uint64_t time)
{
	struct residue *residue = task->process->residue;
	int64_t period = (int64_t)sampler->period;
	int64_t bound = sampler->short_tasks.on ? LOTS_BOUND * period : period;
	int64_t rest;

	if (sampler->privilege != PRIVILEGE_PROC)
		estimate_settle(sampler, task, time, true);
	if (!residue)
		return;
	rest = unaccounted(sampler, task) + task->credit - task->phase;
	residue->rest += rest + task->steered;
	for (; residue->rest >= bound; residue->rest -= period) {
		add_residue(sampler, task, time);
	}
}
