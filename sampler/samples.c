/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the kernel's samples into stacks and rows. */
#include "common/compat.h"
#include "sampler/arch.h"
#include "sampler/core.h"

#include <sys/uio.h>

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

/* The stack of an instruction whose callers cannot be told (a 32-bit program). */
static uint32_t single_frame(struct sampler *sampler, struct process *process, uint64_t address)
{
	const struct mapping *mapping = space_find(process->space, address);
	const struct unwind_frame frame = {
		.mapping = mapping,
		.address = address,
		.offset = mapping ? address - mapping->bias : address,
	};

	return stacks_walked(&sampler->stacks, &frame, 1, process->pid);
}

/* The user stack of a sample. */
static uint32_t user_stack(struct sampler *sampler, struct task *task,
			   const struct observed_sample *sample, enum unwind_end *end)
{
	struct process *process = task->process;
	struct unwind_input input = { .space = process->space, .pid = process->pid };
	size_t depth;

	*end = UNWIND_NO_RULE;
	if (sample->abi == 0)
		return estimate_stack(sampler, task);
	arch_registers(sample->registers, &input);
	if (sample->abi != arch_register_abi)
		return single_frame(sampler, process, input.registers[ARCH_INSTRUCTION]);
	input.stack_start = input.registers[ARCH_STACK_POINTER];
	input.stack = sample->stack;
	input.stack_size = sample->stack_size;
	input.read = read_memory;
	input.read_argument = task;
	depth = unwind_walk(&input, sampler->frames, end);
	return stacks_walked(&sampler->stacks, sampler->frames, depth, process->pid);
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
	};

	if (sampler->any_transaction)
		row.transaction = transactions_of(sampler->transactions, task->tid);
	recordset_add(&sampler->samples, &row);
	task->samples++;
	sampler->processed++;
	*(flags & SAMPLE_BROKEN ? &sampler->broken : &sampler->whole) += 1;
}

uint32_t samples_stack(struct sampler *sampler, struct task *task,
		       const struct observed_sample *sample, bool *whole)
{
	enum unwind_end end;
	uint32_t stack = user_stack(sampler, task, sample, &end);

	*whole = end == UNWIND_WHOLE;
	if (*whole)
		stacks_mark_whole(&sampler->stacks, stack);
	return stack;
}

void samples_take(struct sampler *sampler, struct task *task, const struct observation *seen)
{
	const struct observed_sample *sample = &seen->sample;
	const struct timeline *timeline = &sampler->timeline;
	unsigned flags = 0;
	uint32_t stack;
	bool whole;

	sampler->taken++;
	/* A task with finer events has the others for nothing (fine.h). */
	if (sample->fine != task->fine ||
	    !thin_accept(sampler, task, sample->period)) {
		sampler->thinned++;
		return;
	}
	stack = samples_stack(sampler, task, sample, &whole);
	if (!whole)
		flags |= SAMPLE_BROKEN;
	if (timeline->running == 1 && timeline->file_waits == 0)
		flags |= SAMPLE_SOLO;
	estimate_before(sampler, task, stack, seen->time);
	task->stack = stack;
	if (task->process->pool)
		pool_put(task->process->pool, stack);
	if (sample->kernel) {
		stack = stacks_kernel(&sampler->stacks, stack, sample->chain, sample->chain_length,
				      task->process->pid);
	}
	samples_add(sampler, task, seen->time, stack, sample->kernel ? SAMPLE_KERNEL : SAMPLE_USER,
		    flags);
}
