/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the kernel's samples into stacks and rows. */
#include "common/compat.h"
#include "common/clock.h"
#include "program/unwind/arch.h"
#include "sampler/core.h"

#include <sys/uio.h>

/* How old a sample may be for its task to be held. */
#define HOLD_AGE (20 * NSEC_PER_MSEC)

/* unwind_input.read: memory of the process beyond what the sample brought. */
static bool read_memory(void *argument, uint64_t address, void *buffer, size_t size)
{
	const struct task *task = argument;
	struct process *process = task->process;
	struct iovec local = { buffer, size };
	struct iovec remote = { (void *)(uintptr_t)address, size };

	if (process->no_memory)
		return false;
	if (process_vm_readv(task->tid, &local, 1, &remote, 1, 0) == (ssize_t)size)
		return true;
	if (errno == EPERM || errno == ENOSYS)
		process->no_memory = true;
	return false;
}

/* The frame of an instruction whose callers cannot be told (a 32-bit program). */
static void single_frame(struct sampler *sampler, struct sighting *sighting)
{
	uint64_t address = sighting->input.registers[ARCH_INSTRUCTION];
	const struct mapping *mapping = space_find(sighting->input.space, address);

	sampler->samples.frames[0] = (struct unwind_frame){
		.mapping = mapping,
		.address = address,
		.offset = mapping ? address - mapping->bias : address,
	};
	sighting->depth = 1;
}

/* The user stack of a sighting. */
static void walk(struct sampler *sampler, struct sighting *sighting)
{
	enum unwind_end end;

	sighting->depth = unwind_walk(&sighting->input, sampler->samples.frames, &end);
	sighting->whole = end == UNWIND_WHOLE;
}

/* Hold the task while collectors are asked, when one of them wants that; whether it is held. When
   the sample's turn comes late the task has gone on: a hold would show another moment, and make
   those behind it later still. */
static bool hold(struct sampler *sampler, struct sighting *sighting)
{
	const struct process *process = sighting->task->process;

	if (clock_monotonic_ns() > sighting->time + HOLD_AGE)
		return false;
	if (!collect_wants_hold(sampler, process) ||
	    hold_begin(&sampler->holds, process->pid, sighting->task->tid, &sighting->input) !=
		    HOLD_DONE)
		return false;
	sighting->flags = VIGIL_HELD;
	return true;
}

/* Put the frames of the kernel inside the stack of a sample that was executing there. */
static void judge_kernel(struct sampler *sampler, const struct task *task,
			 const struct observed_sample *sample, struct verdict *verdict)
{
	verdict->in_kernel = sample->kernel;
	verdict->inner = verdict->stack;
	if (sample->kernel)
		verdict->inner = stacks_kernel(&sampler->stacks, verdict->stack, sample->chain,
					       sample->chain_length, task->process->pid);
}

/* Walk the stack of a sample that has registers; wanted: data collectors are asked about it. */
static void judge_walk(struct sampler *sampler, struct task *task, const struct observation *seen,
		       bool wanted, struct verdict *verdict)
{
	const struct observed_sample *sample = &seen->sample;
	struct process *process = task->process;
	bool held = false;
	struct sighting sighting = {
		.task = task,
		.time = seen->time,
		.state = VIGIL_EXECUTING,
		.flags = sample->kernel ? VIGIL_IN_KERNEL : 0,
		.input = { .space = process->space, .pid = process->pid },
		.frames = sampler->samples.frames,
	};

	arch_registers(sample->registers, &sighting.input);
	if (sample->abi == arch_register_abi) {
		sighting.input.stack_start = sighting.input.registers[ARCH_STACK_POINTER];
		sighting.input.stack = sample->stack;
		sighting.input.stack_size = sample->stack_size;
		sighting.input.read = read_memory;
		sighting.input.read_argument = task;
		held = wanted && hold(sampler, &sighting);
		walk(sampler, &sighting);
	} else {
		single_frame(sampler, &sighting);
	}
	collect_judge(sampler, &sighting, wanted, verdict);
	if (held)
		hold_end(&sampler->holds, task->tid);
	judge_kernel(sampler, task, sample, verdict);
}

void samples_judge(struct sampler *sampler, struct task *task, const struct observation *seen,
		   struct verdict *verdict)
{
	judge_walk(sampler, task, seen, collect_wants(sampler, task->process), verdict);
}

void samples_init(struct samples *samples, const struct samples_parts *parts)
{
	samples->parts = *parts;
}

uint32_t samples_stack(struct samples *samples, struct task *task, const struct observation *seen)
{
	struct verdict verdict;

	if (seen->sample.abi == 0)
		return estimate_stack(samples->parts.estimate, task);
	judge_walk(samples->parts.sampler, task, seen, false, &verdict);
	return verdict.stack;
}

/* The stack of a sample, and what collectors said of it. */
static void judge(struct samples *samples, struct task *task, const struct observation *seen,
		  struct verdict *verdict)
{
	struct sampler *sampler = samples->parts.sampler;

	if (seen->sample.abi == 0) {
		*verdict = (struct verdict){
			.stack = estimate_stack(samples->parts.estimate, task),
		};
		judge_kernel(sampler, task, &seen->sample, verdict);
	} else if (!ahead_take(sampler, task, seen, verdict)) {
		samples_judge(sampler, task, seen, verdict);
	}
}

/* The sample counts: add it, and what was missed before it. */
static void add(struct samples *samples, struct task *task, uint64_t time,
		const struct verdict *verdict)
{
	const struct step_clock *clock = samples->parts.clock;
	unsigned flags = verdict->whole ? 0 : SAMPLE_BROKEN;

	if (clock->running == 1 && clock->file_waits == 0)
		flags |= SAMPLE_SOLO;
	estimate_before(samples->parts.estimate, task, verdict->stack, time);
	collect_apply(samples->parts.sampler, task, verdict, time);
	task->stack = verdict->stack;
	if (task->process->residue)
		residue_put(task->process->residue, verdict->stack);
	sample_ledger_add(samples->parts.ledger, task, time, verdict->inner,
			  verdict->in_kernel ? SAMPLE_KERNEL : SAMPLE_USER, flags);
}

void samples_take(struct samples *samples, struct task *task, const struct observation *seen)
{
	const struct observed_sample *sample = &seen->sample;
	struct verdict verdict;

	if (!short_tasks_accept(task, sample->finer))
		return;
	if (!sample_ledger_accept(samples->parts.ledger, task, sample->period)) {
		/* A finer one that completes no period is a part of the one that will. */
		if (!sample->finer)
			sample_ledger_thin(samples->parts.ledger);
		ahead_pass(samples->parts.sampler, task, seen->time);
		return;
	}
	judge(samples, task, seen, &verdict);
	add(samples, task, seen->time, &verdict);
}
