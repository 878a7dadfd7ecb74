/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the kernel's samples into stacks and rows. */
#include "common/compat.h"
#include "sampler/samples.h"
#include "sampler/estimate.h"
#include "sampler/prompt.h"
#include "sampler/residue.h"
#include "sampler/sample-ledger.h"
#include "sampler/short-tasks.h"
#include "sampler/stack-resolve.h"
#include "sampler/step-clock.h"
#include "sampler/tasks.h"
#include "sampler/transactions.h"

void samples_init(struct samples *samples, const struct samples_parts *parts)
{
	samples->parts = *parts;
}

uint32_t samples_stack(struct samples *samples, struct task *task, const struct observation *seen)
{
	if (seen->sample.abi == 0)
		return estimate_stack(samples->parts.estimate, task);
	return stack_resolve_plain(samples->parts.resolver, task, seen);
}

/* The stack of a sample, and what collectors said of it. */
static void resolve(struct samples *samples, struct task *task, const struct observation *seen,
		    struct resolved_stack *resolved)
{
	const struct samples_parts *parts = &samples->parts;

	if (seen->sample.abi == 0) {
		*resolved = (struct resolved_stack){
			.stack = estimate_stack(parts->estimate, task),
		};
		stack_resolve_kernel(parts->resolver, task, &seen->sample, resolved);
	} else if (!prompt_take(parts->prompt, task, seen, parts->ledger->period, resolved)) {
		stack_resolve_sample(parts->resolver, task, seen,
				     transactions_of(parts->transactions, task->tid), resolved);
	}
}

/* The sample counts: add it, and what was missed before it. */
static void add(struct samples *samples, struct task *task, uint64_t time,
		const struct resolved_stack *resolved)
{
	const struct step_clock *clock = samples->parts.clock;
	unsigned flags = resolved->whole ? 0 : SAMPLE_BROKEN;

	if (clock->running == 1 && clock->file_waits == 0)
		flags |= SAMPLE_SOLO;
	estimate_before(samples->parts.estimate, task, resolved->stack, time);
	stack_resolve_apply(samples->parts.resolver, task, resolved, time);
	task->stack = resolved->stack;
	if (task->process->residue)
		residue_put(task->process->residue, resolved->stack);
	sample_ledger_add(samples->parts.ledger, task, time, resolved->inner,
			  resolved->in_kernel ? SAMPLE_KERNEL : SAMPLE_USER, flags);
}

void samples_take(struct samples *samples, struct task *task, const struct observation *seen)
{
	const struct observed_sample *sample = &seen->sample;
	struct resolved_stack resolved;

	if (!short_tasks_accept(task, sample->finer))
		return;
	if (!sample_ledger_accept(samples->parts.ledger, task, sample->period)) {
		/* A finer one that completes no period is a part of the one that will. */
		if (!sample->finer)
			sample_ledger_thin(samples->parts.ledger);
		prompt_pass(samples->parts.prompt, task, seen->time);
		return;
	}
	resolve(samples, task, seen, &resolved);
	add(samples, task, seen->time, &resolved);
}
