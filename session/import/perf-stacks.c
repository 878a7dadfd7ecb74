/* SPDX-License-Identifier: Apache-2.0 */
/* Builds stacks from call chains, and from copied stacks. */
#include "common/compat.h"
#include "session/import/perf-stacks.h"
#include "program/unwind/arch.h"
#include "session/import/imported-names.h"

/* Addresses of one context of a chain, innermost first. */
struct part {
	const uint64_t *addresses;
	size_t count;
};

/*
 * Returns the part of a chain after a context; addresses before any context count
 * as the innermost part.
 */
static struct part part_of(const struct perf_sample *sample, uint64_t context)
{
	struct part part = { NULL, 0 };
	bool within = false;

	for (size_t i = 0; sample->chain && i < sample->chain_length; i++) {
		uint64_t address = sample->chain[i];

		if (address >= PERF_CHAIN_CONTEXT) {
			if (part.count)
				break;
			within = address == context;
		} else if (within) {
			if (!part.count)
				part.addresses = sample->chain + i;
			part.count++;
		}
	}
	return part;
}

/* Unwinds a copied stack; true if it reached the outermost frame. */
static bool walk(struct perf_stacks *stacks, const struct imported_task *task,
		 const struct perf_sample *sample, uint32_t *stack)
{
	struct unwind_input input = {
		.space = task->process->space,
		.stack = sample->stack,
		.stack_size = sample->stack_size,
	};
	enum unwind_end end;
	size_t depth;

	arch_registers_of(sample->mask, sample->registers, &input);
	input.stack_start = input.registers[ARCH_STACK_POINTER];
	depth = unwind_walk(&input, stacks->frames, &end);
	*stack = stacks_walked(&stacks->made->stacks, 0, stacks->frames, depth,
			       (pid_t)task->process->pid);
	return end == UNWIND_WHOLE;
}

/* Returns whether a sample has the data for unwinding. */
static bool can_walk(struct perf_stacks *stacks, const struct perf_sample *sample)
{
	const uint64_t needed = UINT64_C(1) << ARCH_STACK_POINTER | UINT64_C(1) << ARCH_INSTRUCTION;
	struct unwind_input input = { .known = 0 };

	if (!sample->stack_size || !sample->registers)
		return false;
	if (stacks->walks && sample->abi == arch_register_abi)
		arch_registers_of(sample->mask, sample->registers, &input);
	if ((input.known & needed) == needed)
		return true;
	stacks->unwalked++;
	return false;
}

/* Pushes a user address from a walk by frame pointers onto a stack. */
static uint32_t push_user(struct perf_stacks *stacks, const struct imported_task *task,
			  uint32_t parent, uint64_t address)
{
	struct imported *made = stacks->made;
	const struct mapping *mapping = space_find(task->process->space, address);
	struct unwind_frame frame = {
		.mapping = mapping,
		.address = address,
		.offset = mapping ? address - mapping->bias : address,
	};

	return stacks_walked(&made->stacks, parent, &frame, 1, (pid_t)task->process->pid);
}

/*
 * Pushes the user part of a chain. A walk by frame pointers may end in garbage:
 * outermost addresses that are not mapped are dropped.
 */
static uint32_t push_chain(struct perf_stacks *stacks, const struct imported_task *task,
			   struct part part)
{
	uint32_t stack = 0;

	if (part.count > UNWIND_MAX_FRAMES)
		part.count = UNWIND_MAX_FRAMES;
	while (part.count > 1 &&
	       !space_find(task->process->space, part.addresses[part.count - 1] - 1))
		part.count--;
	/*
	 * The innermost is the current instruction; the others are return addresses, one
	 * instruction after the call.
	 */
	for (size_t i = part.count; i-- > 0;)
		stack = push_user(stacks, task, stack, part.addresses[i] - (i > 0));
	return stack;
}

/* Returns the outermost frame of a stack. */
static uint32_t outermost(const struct stacks *stacks, uint32_t stack)
{
	while (stacks_parent(stacks, stack))
		stack = stacks_parent(stacks, stack);
	return stacks->nodes[stack - 1].frame;
}

/* Returns the reason of a wait: from the innermost kernel function that has one. */
static unsigned reason_of(struct imported *made, uint32_t stack, uint32_t until)
{
	unsigned reason = 0;

	for (; stack && stack != until && !reason; stack = stacks_parent(&made->stacks, stack))
		reason = imported_names_reason(made, made->stacks.nodes[stack - 1].frame);
	return reason;
}

/* Pushes the kernel part onto the user part. */
static uint32_t push_kernel(struct perf_stacks *stacks, const struct imported_task *task,
			    const struct perf_sample *sample, uint32_t user)
{
	struct part part = part_of(sample, PERF_CHAIN_KERNEL);
	/*
	 * The form of a chain that stacks_kernel expects: the context precedes the
	 * innermost address.
	 */
	const uint64_t alone[] = { PERF_CHAIN_KERNEL, sample->address };

	if (part.count > UNWIND_MAX_FRAMES)
		part.count = UNWIND_MAX_FRAMES;
	if (part.count)
		return stacks_kernel(&stacks->made->stacks, user, part.addresses - 1, part.count + 1,
				     (pid_t)task->process->pid);
	return stacks_kernel(&stacks->made->stacks, user, alone, ARRAY_SIZE(alone),
			     (pid_t)task->process->pid);
}

void perf_stacks_sample(struct perf_stacks *stacks, const struct imported_task *task,
			const struct perf_record *record, bool waiting, struct perf_stack *found)
{
	const struct perf_sample *sample = &record->sample;
	struct part user = part_of(sample, PERF_CHAIN_USER);
	unsigned mode = record->misc & PERF_MISC_MODE;
	uint32_t stack = 0;

	*found = (struct perf_stack){ .kernel = mode != PERF_MISC_USER && mode != PERF_MISC_GUEST_USER };
	if (can_walk(stacks, sample))
		found->whole = walk(stacks, task, sample, &stack);
	else if (user.count)
		stack = push_chain(stacks, task, user);
	else if (!found->kernel)
		stack = push_user(stacks, task, 0, sample->address);
	found->stack = found->kernel ? push_kernel(stacks, task, sample, stack) : stack;
	found->place = stack ? stack : found->stack;
	if (!found->whole)
		found->whole = imported_names_starts(stacks->made,
						     outermost(&stacks->made->stacks, found->stack));
	if (waiting && found->kernel)
		found->reason = reason_of(stacks->made, found->stack, stack);
}
