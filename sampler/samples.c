/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the kernel's samples into stacks and rows. */
#include "common/compat.h"
#include "sampler/core.h"

uint32_t samples_stack(struct sampler *sampler, struct task *task, const struct observation *seen)
{
	if (seen->sample.abi == 0)
		return estimate_stack(sampler, task);
	return stack_resolve_plain(&sampler->stack_resolver, task, seen);
}

/* The stack of a sample, and what collectors said of it. */
static void resolve(struct sampler *sampler, struct task *task, const struct observation *seen,
		    struct resolved_stack *resolved)
{
	struct stack_resolver *resolver = &sampler->stack_resolver;

	if (seen->sample.abi == 0) {
		*resolved = (struct resolved_stack){ .stack = estimate_stack(sampler, task) };
		stack_resolve_kernel(resolver, task, &seen->sample, resolved);
	} else if (!prompt_take(sampler->prompt, task, seen, sampler->period, resolved)) {
		stack_resolve_sample(resolver, task, seen,
				     transactions_of(sampler->transactions, task->tid), resolved);
	}
}

unsigned samples_flags(const struct sampler *sampler, uint32_t stack)
{
	return stacks_is_whole(&sampler->stacks, stack) ? 0 : SAMPLE_BROKEN;
}

void samples_add(struct sampler *sampler, struct task *task, uint64_t time, uint32_t stack,
		 enum sample_kind kind, unsigned flags)
{
	struct record_sample row = {
		.time = time,
		.task = task->id,
		.stack = stack,
		.kind = kind,
		.flags = flags,
		.transaction = transactions_of(sampler->transactions, task->tid),
	};

	recordset_add(&sampler->samples, &row);
	task->samples++;
	sampler->processed++;
	*(flags & SAMPLE_BROKEN ? &sampler->broken : &sampler->whole) += 1;
}

void samples_take(struct sampler *sampler, struct task *task, const struct observation *seen)
{
	const struct observed_sample *sample = &seen->sample;
	const struct step_clock *clock = &sampler->clock;
	struct resolved_stack resolved;
	unsigned flags = 0;
	uint32_t stack;

	/* A task with finer events has the others for nothing (short-tasks.h). */
	if (sample->finer != task->finer)
		return;
	if (!thin_accept(sampler, task, sample->period)) {
		/* A finer one that completes no period is a part of the one that will. */
		sampler->taken += !sample->finer;
		sampler->thinned += !sample->finer;
		prompt_pass(sampler->prompt, task, seen->time);
		return;
	}
	sampler->taken++;
	resolve(sampler, task, seen, &resolved);
	stack = resolved.stack;
	if (!resolved.whole)
		flags |= SAMPLE_BROKEN;
	if (clock->running == 1 && clock->file_waits == 0)
		flags |= SAMPLE_SOLO;
	estimate_before(sampler, task, stack, seen->time);
	stack_resolve_apply(&sampler->stack_resolver, task, &resolved, seen->time);
	task->stack = stack;
	if (task->process->residue)
		residue_put(task->process->residue, stack);
	samples_add(sampler, task, seen->time, resolved.inner,
		    resolved.in_kernel ? SAMPLE_KERNEL : SAMPLE_USER, flags);
}
