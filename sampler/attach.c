/* SPDX-License-Identifier: Apache-2.0 */
/* Adds processes and tasks that exist already. */
#include "common/compat.h"
#include "sampler/attach.h"
#include "common/procfs.h"
#include "sampler/sampler-data.h"

/* Maximum number of rounds that look for tasks that begin while others are being attached to. */
#define ATTACH_ROUNDS 16

void attach_image(struct sampler *sampler, struct process *process)
{
	char path[4096];

	space_clear(&process->space);
	space_read_proc(&process->space, &sampler->objects, process->base->pid, NULL);
	if (!procfs_program(process->base->pid, path, sizeof(path)))
		return;
	tasks_set_image(process, path);
	process->residue = residues_get(&sampler->residues, process->base->path);
	for (size_t i = 0; i < sampler->objects.count; i++)
		if (strcmp(sampler->objects.items[i]->path, path) == 0)
			process->image = sampler->objects.items[i];
}

struct process *attach_process(struct sampler *sampler, pid_t pid, pid_t parent)
{
	struct tasks *tasks = &sampler->tasks;
	struct process *process =
		tasks_add_process(tasks, pid, tasks_process(tasks, parent), sampler->clock.now);
	struct procfs_stat stat;

	if (sampler->privilege == PRIVILEGE_PROC && procfs_stat(pid, &stat))
		idmap_put(&sampler->proc_starts, (uint64_t)pid, stat.start);
	attach_image(sampler, process);
	return process;
}

struct task *attach_task(struct sampler *sampler, struct process *process, pid_t tid)
{
	char name[16];
	struct task *task;

	procfs_name(process->base->pid, tid, name, sizeof(name));
	task = tasks_add_task(&sampler->tasks, process, tid, name, sampler->clock.now);
	wait_delay_begin(task, true);
	if (procfs_state(process->base->pid, tid) != 'R')
		state_set(&sampler->states, task, TASK_BLOCKED);
	else if (sampler->privilege == PRIVILEGE_PROC)
		state_set(&sampler->states, task, TASK_RUNNING);
	else
		state_assume_ready(&sampler->states, task);
	return task;
}

/* State of a round of attaching. */
struct attaching {
	struct sampler *sampler;
	struct error *err;
	enum perf_result result; /* of the first failure */
	uint64_t found;		 /* number of tasks that are new in this round */
};

/* Observes a thread of a process. */
static void observe_thread(struct attaching *attaching, struct process *process, pid_t tid)
{
	struct sampler *sampler = attaching->sampler;
	enum perf_result result = PERF_OK;

	/* A thread that an observed task has started is observed already, and has a record. */
	if (sampler->privilege != PRIVILEGE_PROC)
		observe_all(sampler);
	if (tasks_task(&sampler->tasks, tid))
		return;
	if (sampler->privilege != PRIVILEGE_PROC)
		result = perf_observe(&sampler->perf, tid, false, attaching->err);
	if (result == PERF_GONE)
		return;
	attaching->result = result;
	if (result != PERF_OK)
		return;
	attach_task(sampler, process, tid)->present = true;
	attaching->found++;
}

/* Observes the threads of a process. */
static void observe_threads(struct attaching *attaching, struct process *process)
{
	struct procfs_numbers threads;
	long tid;

	procfs_threads(&threads, process->base->pid);
	while (attaching->result == PERF_OK && (tid = procfs_next_number(&threads)) >= 0)
		observe_thread(attaching, process, (pid_t)tid);
	procfs_numbers_close(&threads);
}

/* Observes a process with its threads and its children. */
static void observe_process(struct attaching *attaching, pid_t pid, pid_t parent)
{
	struct sampler *sampler = attaching->sampler;
	struct process *process = tasks_process(&sampler->tasks, pid);
	struct procfs_children children;
	bool found = false;
	pid_t child;

	if (!process) {
		process = attach_process(sampler, pid, parent);
		resource_usage_adopt(&sampler->resource_usage, process);
		files_adopt(sampler->files, pid);
		found = true;
	}
	observe_threads(attaching, process);
	if (found && process->live == 0) /* it has ended, and its parent has not waited for it yet */
		resource_usage_end(&sampler->resource_usage, process);
	procfs_children(&children, pid);
	while (attaching->result == PERF_OK && (child = procfs_next_child(&children)) >= 0)
		observe_process(attaching, child, pid);
	procfs_children_close(&children);
}

enum perf_result attach_tree(struct sampler *sampler, struct error *err)
{
	for (int round = 0; round < ATTACH_ROUNDS; round++) {
		struct attaching attaching = { .sampler = sampler, .err = err };

		observe_process(&attaching, sampler->root, 0);
		if (attaching.result != PERF_OK)
			return attaching.result;
		if (attaching.found == 0)
			break;
	}
	if (sampler->tasks.alive == 0) {
		error_set(err, "there is no process %d", sampler->root);
		return PERF_GONE;
	}
	return PERF_OK;
}
