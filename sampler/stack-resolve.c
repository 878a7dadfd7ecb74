/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the stack of a sample or a wait, with or without data collectors. */
#include "common/compat.h"
#include "sampler/stack-resolve.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/xalloc.h"
#include "program/unwind/arch.h"
#include "program/unwind/unwind-down.h"
#include "sampler/answers.h"
#include "sampler/collect.h"
#include "sampler/perf.h"
#include "sampler/probe.h"
#include "sampler/stacks.h"
#include "sampler/task-stop.h"
#include "sampler/tasks.h"
#include "step/transactions.h"


/* Maximum age of a sample for which its task is stopped. */
#define STOP_AGE (20 * NSEC_PER_MSEC)

void stack_resolve_init(struct stack_resolver *resolver, struct stacks *stacks,
			struct collect *collect, struct task_stops *task_stops,
			struct transactions *transactions)
{
	resolver->stacks = stacks;
	resolver->collect = collect;
	resolver->task_stops = task_stops;
	resolver->transactions = transactions;
}

/* Resolves the frames as they were walked. */
static void resolve_plain(struct stack_resolver *resolver, const struct query *query,
			  struct resolved_stack *resolved)
{
	*resolved = (struct resolved_stack){
		.stack = stacks_walked(resolver->stacks, 0, query->frames, query->depth,
				       query->task->process->base->pid),
		.whole = query->whole,
		.truncated = query->truncated,
	};
	if (resolved->whole)
		stacks_mark_whole(resolver->stacks, resolved->stack);
	if (resolved->truncated)
		stacks_mark_truncated(resolver->stacks, resolved->stack);
}

/* Resolves the stack after asking data collectors. */
static void resolve_asked(struct stack_resolver *resolver, const struct query *query,
			  struct resolved_stack *resolved)
{
	struct query_state state;

	collect_ask(resolver->collect, query, &state);
	if (answers_change_stack(&state))
		answers_stack(&state, resolver->stacks, resolved);
	else
		resolve_plain(resolver, query, resolved);
	resolved->asked = true;
	resolved->unanswered = state.unanswered;
	resolved->transaction_said = state.transaction_said;
	resolved->transaction = state.transaction_id;
	resolved->transaction_by = state.transaction_by;
	resolved->transaction_at = state.transaction_at;
}

/* unwind_input.read: reads memory of the process beyond what the sample recorded. */
static bool read_memory(void *argument, uint64_t address, void *buffer, size_t size)
{
	const struct task *task = argument;
	struct process *process = task->process;

	if (process->no_memory)
		return false;
	if (outside_memory(task->base->tid, address, buffer, size) == (ssize_t)size)
		return true;
	if (errno == EPERM || errno == ENOSYS)
		process->no_memory = true;
	return false;
}

/* Returns the query of a sample before its stack is walked. */
static struct query sample_query(struct stack_resolver *resolver, struct task *task,
				 const struct observation *seen)
{
	const struct observed_sample *sample = &seen->sample;
	struct query query = {
		.task = task,
		.time = seen->time,
		.state = VIGIL_EXECUTING,
		.flags = sample->kernel ? VIGIL_IN_KERNEL : 0,
		.input = { .space = task->process->space, .pid = task->process->base->pid },
		.frames = resolver->frames,
	};

	arch_registers(sample->registers, &query.input);
	if (sample->abi != arch_register_abi)
		return query;
	query.input.stack_start = query.input.registers[ARCH_STACK_POINTER];
	query.input.stack = sample->stack;
	query.input.stack_size = sample->stack_size;
	query.input.read = read_memory;
	query.input.read_argument = task;
	return query;
}

/*
 * Returns whether the callers of a sample's instruction can be found: not those of
 * a 32-bit program.
 */
static bool can_walk(const struct query *query)
{
	return query->input.read != NULL;
}

/* Keeps the calls of a walk, to walk down from them later. */
static void keep_anchors(struct task *task, const struct unwind_frame *frames, size_t count)
{
	struct task_anchors *own = &task->anchors;

	if (!own->items)
		own->items = xcalloc(TASK_ANCHORS, sizeof(*own->items));
	own->count = (unsigned)unwind_anchors(frames, count, own->items, TASK_ANCHORS);
}

/* Walks the user stack of a query, or takes its instruction alone. */
static void walk(struct stack_resolver *resolver, struct query *query)
{
	uint64_t address = query->input.registers[ARCH_INSTRUCTION];
	const struct mapping *mapping;
	enum unwind_end end;

	if (can_walk(query)) {
		query->depth = unwind_walk(&query->input, resolver->frames, &end);
		query->whole = end == UNWIND_WHOLE;
		query->truncated = end == UNWIND_TOO_DEEP;
		if (resolver->looks_down)
			keep_anchors(query->task, resolver->frames, query->depth);
		return;
	}
	mapping = space_find(query->input.space, address);
	resolver->frames[0] = (struct unwind_frame){
		.mapping = mapping,
		.address = address,
		.offset = mapping ? address - mapping->bias : address,
	};
	query->depth = 1;
}

/*
 * Stops the task if a collector wants that while it is asked; returns whether it
 * is stopped. A sample that is processed late does not stop its task, which has
 * continued: the stop would show another moment, and delay later samples.
 */
static bool stop_task(struct stack_resolver *resolver, struct query *query)
{
	const struct process *process = query->task->process;
	uint64_t now = clock_monotonic_ns();

	if (!can_walk(query) || now > query->time + STOP_AGE ||
	    !collect_wants_stop(resolver->collect, process, now) ||
	    task_stop_begin(resolver->task_stops, process->base->pid, query->task->base->tid, &query->input) !=
		    TASK_STOP_DONE)
		return false;
	query->flags = VIGIL_HELD;
	return true;
}

/* Resolves a sample with data collectors, while its task may be stopped. */
static void resolve_sample_asked(struct stack_resolver *resolver, struct query *query,
				 struct resolved_stack *resolved)
{
	bool stopped = stop_task(resolver, query);

	walk(resolver, query);
	resolve_asked(resolver, query, resolved);
	if (stopped)
		task_stop_end(resolver->task_stops, query->task->base->tid);
}

void stack_resolve_sample(struct stack_resolver *resolver, struct task *task,
			  const struct observation *seen, uint64_t in_force,
			  struct resolved_stack *resolved)
{
	struct query query = sample_query(resolver, task, seen);

	if (collect_wants(resolver->collect, task->process)) {
		query.in_force = in_force;
		resolve_sample_asked(resolver, &query, resolved);
	} else {
		walk(resolver, &query);
		resolve_plain(resolver, &query, resolved);
	}
	stack_resolve_kernel(resolver, task, &seen->sample, resolved);
}

uint32_t stack_resolve_plain(struct stack_resolver *resolver, struct task *task,
			     const struct observation *seen)
{
	struct query query = sample_query(resolver, task, seen);
	struct resolved_stack resolved;

	walk(resolver, &query);
	resolve_plain(resolver, &query, &resolved);
	return resolved.stack;
}

uint32_t stack_resolve_page(struct stack_resolver *resolver, struct task *task,
			    const struct observation *seen)
{
	struct query query = sample_query(resolver, task, seen);
	struct resolved_stack resolved;

	RETURN_IF(!can_walk(&query) || collect_wants(resolver->collect, task->process), 0);
	walk(resolver, &query);
	RETURN_IF(!query.whole, 0);
	resolve_plain(resolver, &query, &resolved);
	return resolved.stack;
}

/* unwind_input.read: notes that the walk needs more, and fails. */
static bool read_nothing(void *argument, uint64_t address UNUSED, void *buffer UNUSED,
			 size_t size UNUSED)
{
	bool *beyond = argument;

	*beyond = true;
	return false;
}

bool stack_resolve_recorded(struct stack_resolver *resolver, struct task *task,
			   const struct observation *seen, uint32_t *stack)
{
	struct query query = sample_query(resolver, task, seen);
	struct resolved_stack resolved;
	bool beyond = false;

	RETURN_IF(!can_walk(&query), false);
	query.input.read = read_nothing;
	query.input.read_argument = &beyond;
	walk(resolver, &query);
	RETURN_IF(beyond, false);
	resolve_plain(resolver, &query, &resolved);
	*stack = resolved.stack;
	return true;
}

void stack_resolve_kernel(struct stack_resolver *resolver, const struct task *task,
			  const struct observed_sample *sample, struct resolved_stack *resolved)
{
	resolved->in_kernel = sample->kernel;
	resolved->inner = resolved->stack;
	if (sample->kernel)
		resolved->inner = stacks_kernel(resolver->stacks, resolved->stack, sample->chain,
						sample->chain_length, task->process->base->pid);
}

void stack_resolve_wait(struct stack_resolver *resolver, struct task *task,
			const struct probe_site *found, const struct unwind_frame *frames,
			uint64_t in_force, struct resolved_stack *resolved)
{
	struct query query = {
		.task = task,
		.state = VIGIL_WAITING,
		.flags = VIGIL_IN_KERNEL,
		.frames = frames,
		.depth = found->depth,
		.whole = found->depth > 0 && found->end == UNWIND_WHOLE,
		.truncated = found->depth > 0 && found->end == UNWIND_TOO_DEEP,
		.in_force = in_force,
	};

	if (found->depth == 0 || !collect_wants(resolver->collect, task->process)) {
		resolve_plain(resolver, &query, resolved);
		return;
	}
	query.time = clock_monotonic_ns();
	query.input = (struct unwind_input){
		.known = 1U << ARCH_STACK_POINTER | 1U << ARCH_INSTRUCTION,
		.stack_start = found->stack_pointer,
		.stack = found->stack,
		.stack_size = found->stack_size,
	};
	query.input.registers[ARCH_STACK_POINTER] = found->stack_pointer;
	query.input.registers[ARCH_INSTRUCTION] = found->instruction;
	resolve_asked(resolver, &query, resolved);
}

uint32_t stack_resolve_down(struct stack_resolver *resolver, struct task *task, uint64_t time, uint64_t in_force,
			    bool *calls_system)
{
	const struct task_anchors *known = &task->anchors;
	struct query query = {
		.task = task,
		.time = time,
		.state = VIGIL_EXECUTING,
		.flags = VIGIL_IN_KERNEL,
		.input = { .space = task->process->space,
			   .pid = task->process->base->pid,
			   .read = read_memory,
			   .read_argument = task },
		.frames = resolver->frames,
		.in_force = in_force,
	};
	struct resolved_stack resolved;

	query.depth = unwind_down(&query.input, known->items, known->count, resolver->frames, calls_system);
	RETURN_IF(!query.depth, 0);
	query.whole = true;
	query.input.known = 1U << ARCH_STACK_POINTER | 1U << ARCH_INSTRUCTION;
	query.input.registers[ARCH_STACK_POINTER] = resolver->frames[0].stack;
	query.input.registers[ARCH_INSTRUCTION] = resolver->frames[0].address;
	if (collect_wants(resolver->collect, task->process))
		resolve_asked(resolver, &query, &resolved);
	else
		resolve_plain(resolver, &query, &resolved);
	return resolved.stack;
}

bool stack_resolve_unseen(struct stack_resolver *resolver, struct task *task, uint64_t in_force,
			  struct resolved_stack *resolved)
{
	struct query query = {
		.task = task,
		.time = clock_monotonic_ns(),
		.state = VIGIL_EXECUTING,
		.in_force = in_force,
	};

	RETURN_IF(!collect_wants(resolver->collect, task->process), false);
	resolve_asked(resolver, &query, resolved);
	return true;
}

void stack_resolve_apply(struct stack_resolver *resolver, const struct task *task,
			 const struct resolved_stack *resolved, uint64_t time)
{
	if (resolved->transaction_said &&
	    !collect_is_off(resolver->collect, resolved->transaction_by))
		transactions_set_read(resolver->transactions, task->base->tid, time,
				      resolved->transaction, resolved->transaction_by,
				      resolved->transaction_at);
}

void stack_resolve_apply_ahead(struct stack_resolver *resolver, const struct task *task,
			       const struct resolved_stack *resolved)
{
	if (resolved->transaction_said &&
	    !collect_is_off(resolver->collect, resolved->transaction_by))
		transactions_schedule(resolver->transactions, task->base->tid, resolved->transaction_at,
				       resolved->transaction, resolved->transaction_by);
}
