/* SPDX-License-Identifier: Apache-2.0 */
/* Shows samples to data collectors before they are applied. */
#include "common/compat.h"
#include "sampler/prompt.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "sampler/collect.h"
#include "sampler/short-tasks.h"
#include "sampler/stack-resolve.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

/* Maximum number of samples with results that are not applied yet. */
#define KEPT_MAX 1024

struct prompt {
	struct prompt_parts parts;
	uint64_t period; /* of the pass in progress */
	/* Additional readers of the rings of perf: of samples, and, before them, of changes. */
	struct view {
		struct ring samples, changes;
	} * views;
	size_t view_count;
	struct prompt_sample *free;
	struct idmap changes; /* pid -> time of the last record of a change to its address space */
	struct prompt_sample items[KEPT_MAX];
};

struct prompt *prompt_new(const struct prompt_parts *parts)
{
	struct prompt *prompt = xcalloc(1, sizeof(*prompt));
	struct perf *perf = parts->perf;

	prompt->parts = *parts;
	idmap_init(&prompt->changes);
	prompt->view_count = perf->cpu_count;
	prompt->views = xcalloc(perf->cpu_count + 1, sizeof(*prompt->views));
	for (size_t i = 0; i < perf->cpu_count; i++) {
		ring_view(&prompt->views[i].samples, &perf->cpus[i].ring);
		ring_view(&prompt->views[i].changes, &perf->cpus[i].ring);
	}
	for (size_t i = 0; i < KEPT_MAX; i++) {
		prompt->items[i].next = prompt->free;
		prompt->free = &prompt->items[i];
	}
	return prompt;
}

void prompt_free(struct prompt *prompt)
{
	if (!prompt)
		return;
	for (size_t i = 0; i < prompt->view_count; i++) {
		free(prompt->views[i].samples.bounce);
		free(prompt->views[i].changes.bounce);
	}
	free(prompt->views);
	idmap_release(&prompt->changes);
	free(prompt);
}

/* Drops the first of a task's results. */
static void drop_first(struct prompt *prompt, struct task *task)
{
	struct prompt_sample *first = task->prompt.kept;

	task->prompt.kept = first->next;
	first->next = prompt->free;
	prompt->free = first;
}

void prompt_pass(struct prompt *prompt, struct task *task, uint64_t time)
{
	for (struct prompt_sample *kept = task->prompt.kept; kept && kept->time <= time;
	     kept = kept->next) {
		stack_resolve_apply(prompt->parts.resolver, task, &kept->resolved, kept->time);
		kept->resolved.transaction_said = false;
	}
}

bool prompt_take(struct prompt *prompt, struct task *task, const struct observation *seen,
		 uint64_t period, struct resolved_stack *resolved)
{
	struct task_prompt *own = &task->prompt;
	bool finer = seen->sample.period < period, found = false;

	prompt_pass(prompt, task, seen->time - 1);
	while (own->kept && own->kept->time <= seen->time) {
		found = finer || own->kept->time == seen->time;
		*resolved = own->kept->resolved;
		drop_first(prompt, task);
	}
	return found;
}

void prompt_drop(struct prompt *prompt, struct task *task)
{
	while (task->prompt.kept)
		drop_first(prompt, task);
}

void prompt_forget(struct prompt *prompt, struct task *task)
{
	prompt_drop(prompt, task);
	if (prompt && task->process->live <= 1)
		idmap_remove(&prompt->changes, (uint64_t)task->process->base->pid);
}

uint64_t prompt_transaction(struct transactions *transactions, const struct task *task,
			    uint64_t time)
{
	uint64_t id = transactions_of(transactions, task->base->tid), named = 0, when = 0;

	if (transactions_pending(transactions, task->base->tid, time, &when, &named))
		id = named;
	for (const struct prompt_sample *kept = task->prompt.kept; kept && kept->time <= time;
	     kept = kept->next)
		if (kept->resolved.transaction_said && kept->time >= when)
			id = kept->resolved.transaction;
	return id;
}

bool prompt_wants(const struct prompt *prompt, const struct task *task)
{
	return prompt && collect_wants(prompt->parts.collect, task->process);
}

/* Keeps a result, in order of time. */
static void keep(struct prompt *prompt, struct task *task, uint64_t time,
		 const struct resolved_stack *resolved)
{
	struct prompt_sample *kept = prompt->free, **link = &task->prompt.kept;

	prompt->free = kept->next;
	kept->time = time;
	kept->resolved = *resolved;
	while (*link && (*link)->time < time)
		link = &(*link)->next;
	kept->next = *link;
	*link = kept;
}

/*
 * Returns whether there is a record, not applied yet, of a change to the address
 * space of a process.
 */
static bool changes(struct prompt *prompt, pid_t pid)
{
	uint64_t time;

	RETURN_IF(!idmap_get(&prompt->changes, (uint64_t)pid, &time), false);
	RETURN_IF(time > prompt->parts.clock->now, true);
	idmap_remove(&prompt->changes, (uint64_t)pid);
	return false;
}

/*
 * Returns whether a sample is to be shown: one per period of those that stand for
 * at most half a period. With other options those that the recorded session showed.
 */
static bool is_due(const struct prompt *prompt, struct task *task, const struct observation *seen)
{
	if (prompt->parts.other_options)
		return collect_was_asked(prompt->parts.collect, task, seen->time);
	if (!short_tasks_accept(prompt->parts.short_tasks, task, seen))
		return false;
	if (!seen->sample.finer && 2 * seen->sample.period > prompt->period)
		return true;
	task->prompt.passed += seen->sample.period;
	if (task->prompt.passed < prompt->period)
		return false;
	task->prompt.passed -= prompt->period;
	return true;
}

/*
 * perf_each of the new samples; a task without an applied record is skipped, as
 * nothing is known of it yet.
 */
static void look_at_sample(void *argument, const struct observation *seen)
{
	struct prompt *prompt = argument;
	const struct prompt_parts *parts = &prompt->parts;
	struct task *task = tasks_task(parts->tasks, seen->tid);
	struct resolved_stack resolved;
	uint64_t in_force;

	if (seen->kind != OBSERVED_SAMPLE || !task || task->state == TASK_UNSEEN ||
	    parts->clock->paused || seen->sample.abi == 0 || !prompt->free ||
	    changes(prompt, seen->pid) || !collect_wants(parts->collect, task->process) ||
	    !is_due(prompt, task, seen))
		return;
	in_force = prompt_transaction(parts->transactions, task, seen->time);
	stack_resolve_sample(parts->resolver, task, seen, in_force, &resolved);
	keep(prompt, task, seen->time, &resolved);
}

/* perf_each of the new records of changes: mappings, and names of tasks. */
static void look_at_change(void *argument, const struct observation *seen)
{
	struct prompt *prompt = argument;

	if (seen->kind == OBSERVED_MAP || seen->comm.exec)
		idmap_put(&prompt->changes, (uint64_t)seen->pid, seen->time);
}

/*
 * The kernel writes a change before the samples that follow it, but into another
 * ring if the task has changed its processor. So the changes are read first, up to
 * a moment after the last sample that is read.
 */
void prompt_look(struct prompt *prompt, uint64_t period)
{
	struct perf *perf;

	if (!prompt || !collect_busy(prompt->parts.collect))
		return;
	perf = prompt->parts.perf;
	prompt->period = period;
	for (size_t i = 0; i < prompt->view_count; i++)
		ring_follow(&prompt->views[i].samples, &perf->cpus[i].ring);
	for (size_t i = 0; i < prompt->view_count; i++) {
		ring_follow(&prompt->views[i].changes, &perf->cpus[i].ring);
		perf_look_at_changes(perf, &prompt->views[i].changes, look_at_change, prompt);
	}
	for (size_t i = 0; i < prompt->view_count; i++)
		perf_look_at_samples(perf, &prompt->views[i].samples, look_at_sample, prompt);
}
