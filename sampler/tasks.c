/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of processes and tasks. */
#include "common/compat.h"
#include "sampler/tasks.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "records/record-types.h"

void tasks_init(struct tasks *tasks, struct step_tasks *base)
{
	*tasks = (struct tasks){ .base = base };
	idmap_init(&tasks->by_pid);
	idmap_init(&tasks->by_tid);
}

/* Frees a process that is in no list. */
static void free_process(struct process *process)
{
	space_drop(process->space);
	free(process);
}

/* Frees a task that is in no list. */
static void free_task(struct task *task)
{
	wait_tallies_release(&task->waits.tallies);
	wait_tallies_release(&task->waits.missed);
	wait_estimates_release(&task->waits.likes);
	wait_estimates_release(&task->waits.all_estimates);
	free(task->anchors.items);
	free(task);
}

void tasks_release(struct tasks *tasks)
{
	while (tasks->all) {
		struct task *task = tasks->all;

		tasks->all = task->next;
		free_task(task);
	}
	while (tasks->processes) {
		struct process *process = tasks->processes;

		tasks->processes = process->next;
		free_process(process);
	}
	idmap_release(&tasks->by_pid);
	idmap_release(&tasks->by_tid);
}

struct process *tasks_process(const struct tasks *tasks, pid_t pid)
{
	uint64_t value;

	return idmap_get(&tasks->by_pid, (uint64_t)pid, &value) ? (void *)(uintptr_t)value : NULL;
}

struct task *tasks_task(const struct tasks *tasks, pid_t tid)
{
	uint64_t value;

	return idmap_get(&tasks->by_tid, (uint64_t)tid, &value) ? (void *)(uintptr_t)value : NULL;
}

pid_t tasks_living(const struct tasks *tasks, const struct process *process)
{
	if (tasks_task(tasks, process->base->pid))
		return process->base->pid;
	for (const struct task *task = tasks->all; task; task = task->next)
		if (task->process == process && !task->base->end)
			return task->base->tid;
	return process->base->pid;
}

struct process *tasks_add_process(struct tasks *tasks, pid_t pid, struct process *parent,
				  uint64_t time)
{
	struct process *process = xcalloc(1, sizeof(*process));

	process->base = step_tasks_observe_process(tasks->base, pid, parent ? parent->base : NULL,
						   time);
	process->first = tasks->process_count++ == 0;
	process->subject = parent ? parent->subject : process->first;
	if (parent) {
		process->space = space_share(parent->space);
		process->image = parent->image;
		process->residue = parent->residue;
	} else {
		process->space = space_new();
	}
	process->next = tasks->processes;
	if (process->next)
		process->next->previous = process;
	tasks->processes = process;
	idmap_put(&tasks->by_pid, (uint64_t)pid, (uintptr_t)process);
	return process;
}

struct task *tasks_add_task(struct tasks *tasks, struct process *process, pid_t tid,
			    const char *name, uint64_t time)
{
	struct task *task = xcalloc(1, sizeof(*task));

	task->base = step_tasks_observe_task(tasks->base, process->base, tid, time);
	task->process = process;
	tasks->task_count++;
	snprintf(task->name, sizeof(task->name), "%s", name);
	task->next = tasks->all;
	if (task->next)
		task->next->previous = task;
	tasks->all = task;
	process->live++;
	process->task_count++;
	tasks->alive++;
	idmap_put(&tasks->by_tid, (uint64_t)tid, (uintptr_t)task);
	return task;
}

void tasks_end_process(struct tasks *tasks, struct process *process, uint64_t time)
{
	process->base->end = time;
	process->base->changed = true;
	if (tasks_process(tasks, process->base->pid) == process)
		idmap_remove(&tasks->by_pid, (uint64_t)process->base->pid);
}

void tasks_end_task(struct tasks *tasks, struct task *task, uint64_t time)
{
	struct process *process = task->process;

	task->base->end = time;
	task->base->changed = true;
	if (tasks_task(tasks, task->base->tid) == task)
		idmap_remove(&tasks->by_tid, (uint64_t)task->base->tid);
	assert(tasks->alive > 0 && process->live > 0);
	tasks->alive--;
	if (--process->live == 0)
		tasks_end_process(tasks, process, time);
}

void tasks_renumber(struct tasks *tasks, struct task *task, pid_t tid, uint64_t time)
{
	if (tasks_task(tasks, task->base->tid) == task)
		idmap_remove(&tasks->by_tid, (uint64_t)task->base->tid);
	step_tasks_renumber(tasks->base, task->base, tid, time);
	idmap_put(&tasks->by_tid, (uint64_t)tid, (uintptr_t)task);
}

void tasks_exec(struct process *process, const char *name)
{
	step_process_set_program(process->base, name, name);
	process->base->execs++;
	process->subject = process->first;
	process->awaiting_image = true;
	process->image = NULL;
	process->no_memory = false;
	space_clear(&process->space);
}

void tasks_set_image(struct process *process, const char *path)
{
	step_process_set_program(process->base, path_base(path), path);
	process->awaiting_image = false;
	process->choice = NULL;
}

void tasks_process_rows(struct tasks *tasks, struct engine *engine, struct recordset *set)
{
	for (struct process *process = tasks->processes; process; process = process->next)
		if (process->base->changed)
			step_process_row(process->base, engine, set);
}

void tasks_rows(struct tasks *tasks, struct engine *engine, struct recordset *set)
{
	for (struct task *task = tasks->all; task; task = task->next) {
		struct record_task row = {
			.cpu = task->cpu + task->waits.switching.taken,
			.wait = task->wait,
			.delay = task->delay,
			.switches = task->switches,
		};

		if (!task->base->changed)
			continue;
		row.name = engine_string(engine, task->name);
		step_task_row(task->base, &row, set);
	}
}

void tasks_activity_rows(struct tasks *tasks, uint64_t time, struct recordset *set)
{
	for (struct task *task = tasks->all; task; task = task->next) {
		struct record_activity row = {
			.time = time,
			.task = task->base->id,
			.cpu = task->activity.cpu,
			.cpu_solo = task->activity.cpu_solo,
			.charged = task->activity.charged,
			.charged_solo = task->activity.charged_solo,
		};

		if (row.cpu || row.charged)
			recordset_add(set, &row);
		memset(&task->activity, 0, sizeof(task->activity));
	}
}

/* Returns whether a task that ended is no longer needed. */
static bool is_done(const struct task *task)
{
	return task->state == TASK_ENDED && !task->base->changed && !task->kept &&
	       !task->waits.tallies.count;
}

void tasks_sweep(struct tasks *tasks)
{
	struct process *next_process;
	struct task *next;

	for (struct task *task = tasks->all; task; task = next) {
		next = task->next;
		if (!is_done(task))
			continue;
		if (next)
			next->previous = task->previous;
		*(task->previous ? &task->previous->next : &tasks->all) = next;
		assert(task->process->task_count > 0);
		task->process->task_count--;
		step_tasks_drop(tasks->base, task->base);
		free_task(task);
	}
	for (struct process *process = tasks->processes; process; process = next_process) {
		next_process = process->next;
		if (process->task_count || process->base->changed)
			continue;
		if (next_process)
			next_process->previous = process->previous;
		*(process->previous ? &process->previous->next : &tasks->processes) = next_process;
		step_tasks_drop_process(tasks->base, process->base);
		free_process(process);
	}
}
