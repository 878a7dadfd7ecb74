/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the kernel's samples into stacks and rows. */
#include "common/compat.h"
#include "sampler/samples.h"
#include "records/record-types.h"
#include "sampler/estimate.h"
#include "sampler/kernel-looks.h"
#include "sampler/prompt.h"
#include "sampler/residue.h"
#include "sampler/sample-ledger.h"
#include "sampler/short-tasks.h"
#include "sampler/stack-resolve.h"
#include "sampler/step-clock.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

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

/* Resolves the stack of a sample, with what collectors said. */
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
				     transactions_of(parts->transactions, task->base->tid), resolved);
	}
}

/* Notes where a task was seen executing last. */
static void set_stack(const struct samples *samples, struct task *task, uint32_t stack, bool unsaid)
{
	task->stack = stack;
	task->stack_transaction = transactions_of(samples->parts.transactions, task->base->tid);
	task->stack_is_old = task->stack_is_past = false;
	task->stack_unsaid = unsaid;
}

/* Adds a sample that counts, and those missed before it. */
static void add(struct samples *samples, struct task *task, uint64_t time,
		const struct resolved_stack *resolved)
{
	const struct step_clock *clock = samples->parts.clock;
	unsigned flags = resolved->whole ? 0 : resolved->truncated ? SAMPLE_CUT : SAMPLE_BROKEN;

	if (clock->running == 1 && clock->file_waits == 0)
		flags |= SAMPLE_SOLO;
	estimate_before(samples->parts.estimate, task, resolved, time);
	stack_resolve_apply(samples->parts.resolver, task, resolved, time);
	set_stack(samples, task, resolved->stack, resolved->unanswered);
	if (task->process->residue)
		residue_put(task->process->residue, resolved->stack,
			    short_tasks_at_begin(samples->parts.short_tasks, task));
	sample_ledger_add(samples->parts.ledger, task, time, resolved->inner,
			  resolved->in_kernel ? SAMPLE_KERNEL : SAMPLE_USER, flags);
}

/*
 * A sample that is not kept still shows where time is used for which there are no
 * samples. Data collectors have not seen it: what it lacks is then placed by the next one
 * that is kept.
 */
static void look_at_passed(struct samples *samples, struct task *task, const struct observation *seen)
{
	struct estimate *estimate = samples->parts.estimate;
	uint32_t stack;

	task->stack_is_old = true;
	if (!estimate_pass(estimate, task, seen->time) || prompt_wants(samples->parts.prompt, task))
		return;
	if (seen->sample.abi == 0 || !stack_resolve_recorded(samples->parts.resolver, task, seen, &stack))
		return;
	estimate_place(estimate, task, stack, seen->time);
	set_stack(samples, task, stack, false);
}

/* Returns whether a sample is to be added. Short tasks have drawn their random position already. */
static bool counts(struct samples *samples, struct task *task, const struct observation *seen)
{
	const struct observed_sample *sample = &seen->sample;
	struct sample_ledger *ledger = samples->parts.ledger;

	/* So has a thinned task, of which one sample per period is shown to data collectors. */
	if (sample->finer ||
	    (2 * sample->period <= ledger->period && prompt_wants(samples->parts.prompt, task)))
		return sample_ledger_accept(ledger, task, sample->period);
	return sample_ledger_draw(ledger, task, seen->time, sample->period);
}

void samples_take(struct samples *samples, struct task *task, const struct observation *seen)
{
	const struct observed_sample *sample = &seen->sample;
	struct resolved_stack resolved;

	if (!short_tasks_take(samples->parts.short_tasks, task, seen))
		return;
	if (!counts(samples, task, seen)) {
		/*
		 * A finer sample that completes no period, or one of a short random period, is
		 * part of the one that will.
		 */
		if (!sample->finer && 2 * sample->period <= samples->parts.ledger->period)
			sample_ledger_thin(samples->parts.ledger);
		prompt_pass(samples->parts.prompt, task, seen->time);
		look_at_passed(samples, task, seen);
	} else {
		resolve(samples, task, seen, &resolved);
		add(samples, task, seen->time, &resolved);
	}
	kernel_looks_sampled(samples->parts.clock, task, seen);
}
