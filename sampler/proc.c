/* SPDX-License-Identifier: Apache-2.0 */
/* Observes the step through /proc. */
#include "common/compat.h"
#include "sampler/proc.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "sampler/attach.h"
#include "sampler/sampler-data.h"

#include <unistd.h>

/*
 * Takes a task's CPU time, which becomes samples: where in the program is unknown,
 * so they have only its object.
 */
static void take_cpu(struct sampler *sampler, struct task *task, uint64_t cpu)
{
	uint64_t used = cpu > task->proc.cpu ? cpu - task->proc.cpu : 0;

	task->proc.cpu = cpu;
	if (used == 0 || sampler->clock.paused)
		return;
	state_add_cpu(&sampler->states, task, used);
	task->proc.used = used;
	sampler->proc_used += used;
}

/*
 * Accounts for what a task used since the last scan. How much of it was while no
 * other task executed is not visible: the times of two tasks are assumed to
 * overlap as by chance.
 */
static void account_used(struct sampler *sampler, struct task *task, uint64_t passed)
{
	uint64_t others = sampler->proc_used - task->proc.used, solo = 0;

	if (others < passed && sampler->clock.file_waits == 0)
		solo = (uint64_t)((double)task->proc.used *
				  (1 - (double)others / (double)passed));
	state_add_solo(task, solo);
	task->proc.used = 0;
	estimate_program(&sampler->estimate, task, sampler->clock.now);
}

/* Asks data collectors where a task executes, although its registers cannot be read. */
static void ask_collectors(struct sampler *sampler, struct task *task)
{
	struct resolved_stack resolved;

	if (sampler->clock.paused ||
	    !stack_resolve_unseen(&sampler->stack_resolver, task,
				  transactions_of(sampler->transactions, task->base->tid), &resolved))
		return;
	stack_resolve_apply(&sampler->stack_resolver, task, &resolved, sampler->clock.now);
	task->stack = resolved.stack;
}

/* Looks at one task. */
static void look_at_task(struct sampler *sampler, struct task *task)
{
	pid_t pid = task->process->base->pid;
	struct procfs_schedule schedule;
	char state = procfs_state(pid, task->base->tid);

	task->proc.gone = state == 0 || state == 'Z' || state == 'X' ||
			  !procfs_schedule(pid, task->base->tid, &schedule);
	if (task->proc.gone) {
		/* A zombie still has its CPU time. */
		if (state != 0 && procfs_schedule(pid, task->base->tid, &schedule))
			take_cpu(sampler, task, schedule.cpu);
		return;
	}
	if (state == 'R')
		ask_collectors(sampler, task);
	take_cpu(sampler, task, schedule.cpu);
	if (schedule.slices != task->proc.slices) {
		/* It executed in between, so another wait has begun. */
		state_set(&sampler->states, task, TASK_RUNNING);
		task->switches += schedule.slices - task->proc.slices;
		sampler->tasks.switches += schedule.slices - task->proc.slices;
		task->proc.slices = schedule.slices;
	}
	state_set(&sampler->states, task, state == 'R' ? TASK_RUNNING : TASK_BLOCKED);
}

/*
 * Returns whether a thread has ended: the first one of a process remains visible
 * until the others end.
 */
static bool has_ended(pid_t pid, pid_t tid)
{
	char state = procfs_state(pid, tid);

	return state == 0 || state == 'Z' || state == 'X';
}

/* Adds a thread of a process if it is new. */
static void see_thread(struct sampler *sampler, struct process *process, pid_t tid)
{
	struct procfs_schedule schedule;
	struct task *task;

	if (tasks_task(&sampler->tasks, tid) || has_ended(process->base->pid, tid))
		return;
	task = attach_task(sampler, process, tid);
	/* What it used before it was attached to does not count. */
	if (!sampler->follow && sampler->tick.count == 0 &&
	    procfs_schedule(process->base->pid, tid, &schedule)) {
		task->proc.cpu = schedule.cpu;
		task->proc.slices = schedule.slices;
	}
}

/* Adds the new threads of a process. */
static void see_threads(struct sampler *sampler, struct process *process)
{
	struct procfs_numbers threads;
	long tid;

	procfs_threads(&threads, process->base->pid);
	while ((tid = procfs_next_number(&threads)) >= 0)
		see_thread(sampler, process, (pid_t)tid);
}

/* Returns whether the process executes another program than at the last look. */
static bool has_execed(const struct process *process)
{
	char path[4096];

	return procfs_program(process->base->pid, path, sizeof(path)) && strcmp(path, process->base->path) != 0;
}

/* Reads the mappings again, less and less often: objects may be loaded at any time. */
static void refresh_maps(struct sampler *sampler, struct process *process)
{
	uint64_t now = sampler->clock.now;

	if (now < process->maps_at)
		return;
	process->maps_at = now + (now - process->base->start) / 2 + PROC_TICK_MS * NSEC_PER_MSEC;
	space_clear(&process->space);
	space_read_proc(&process->space, &sampler->objects,
			tasks_living(&sampler->tasks, process), NULL);
}

/*
 * Returns whether a child need not be added: it is gone, or it was seen before, has
 * ended, and its parent has not waited for it yet.
 */
static bool is_over(const struct sampler *sampler, pid_t pid)
{
	struct procfs_stat stat;
	uint64_t start;

	RETURN_IF(!procfs_stat(pid, &stat), true);
	return (stat.state == 'Z' || stat.state == 'X') &&
	       idmap_get(&sampler->proc_starts, (uint64_t)pid, &start) && start == stat.start;
}

/* Adds the new children of a process, and theirs. */
static void see_children(struct sampler *sampler, pid_t parent)
{
	struct procfs_children children;
	pid_t pid;

	procfs_children(&children, parent);
	while ((pid = procfs_next_child(&children)) >= 0) {
		struct process *process;

		if (tasks_process(&sampler->tasks, pid) || is_over(sampler, pid))
			continue;
		process = attach_process(sampler, pid, parent);
		resource_usage_adopt(&sampler->resource_usage, process);
		see_threads(sampler, process);
		if (process->live == 0)
			tasks_end_process(&sampler->tasks, process, sampler->clock.now);
		else
			see_children(sampler, pid);
	}
}

/* Looks at one process: its program, its threads, its children. */
static void look_at_process(struct sampler *sampler, struct process *process)
{
	if (has_execed(process)) {
		char name[16];

		procfs_name(process->base->pid, process->base->pid, name, sizeof(name));
		tasks_exec(process, name);
		collect_forget(sampler->collect, process);
		attach_image(sampler, process);
	}
	refresh_maps(sampler, process);
	see_threads(sampler, process);
	see_children(sampler, process->base->pid);
}

/*
 * Returns whether the step has begun: before its first exec the root is a copy of
 * vigil and no part of the step.
 */
static bool step_has_begun(struct sampler *sampler)
{
	struct task *root = tasks_task(&sampler->tasks, sampler->root);
	char own[4096], path[4096];
	pid_t living;

	if (!root || root->state != TASK_UNSEEN)
		return true;
	living = procfs_living(sampler->root);
	if (!living) {
		observe_end(sampler, root);
		return false;
	}
	if (!procfs_program(living, path, sizeof(path)) ||
	    !procfs_program(outside_own(), own, sizeof(own)) || strcmp(path, own) == 0)
		return false;
	root->base->start = root->process->base->start = sampler->clock.now;
	procfs_name(sampler->root, living, root->name, sizeof(root->name));
	state_set(&sampler->states, root, TASK_RUNNING);
	return true;
}

/* Looks at all tasks, and accounts for what they used. */
static void look_at_tasks(struct sampler *sampler, uint64_t passed)
{
	sampler->proc_used = 0;
	for (struct task *task = sampler->tasks.all; task; task = task->next)
		if (task->state != TASK_ENDED)
			look_at_task(sampler, task);
	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		if (task->state == TASK_ENDED)
			continue;
		if (task->proc.used)
			account_used(sampler, task, passed);
		if (task->proc.gone)
			observe_end(sampler, task);
	}
}

void proc_scan(struct sampler *sampler, uint64_t time)
{
	uint64_t before = sampler->clock.active;
	struct process *next_process;

	observe_transactions(sampler, time);
	step_clock_advance(&sampler->clock, time);
	if (!step_has_begun(sampler))
		return;
	for (struct process *process = sampler->tasks.processes; process; process = next_process) {
		next_process = process->next;
		if (process->live)
			look_at_process(sampler, process);
	}
	look_at_tasks(sampler, sampler->clock.active - before);
	collect_look(sampler->collect, &sampler->tasks, sampler->clock.now);
	wait_looks_round(&sampler->wait_looks, PROC_TICK_MS * NSEC_PER_MSEC / 2, true);
	sampler->tick.count++;
}
