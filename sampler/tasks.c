/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of processes and tasks. */
#include "common/compat.h"
#include "sampler/tasks.h"
#include "common/path.h"
#include "common/xalloc.h"

void tasks_init(struct tasks *tasks)
{
	memset(tasks, 0, sizeof(*tasks));
	idmap_init(&tasks->by_pid);
	idmap_init(&tasks->by_tid);
}

/* Free a process that no list holds. */
static void free_process(struct process *process)
{
	space_drop(process->space);
	free(process->program);
	free(process->path);
	free(process);
}

/* Free a task that no list holds. */
static void free_task(struct task *task)
{
	wait_tallies_release(&task->waits.tallies);
	wait_tallies_release(&task->waits.missed);
	wait_likes_release(&task->waits.likes);
	wait_likes_release(&task->waits.all_likes);
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
	if (tasks_task(tasks, process->pid))
		return process->pid;
	for (const struct task *task = tasks->all; task; task = task->next)
		if (task->process == process && !task->end)
			return task->tid;
	return process->pid;
}

struct process *tasks_add_process(struct tasks *tasks, pid_t pid, struct process *parent,
				  uint64_t time)
{
	struct process *process = xcalloc(1, sizeof(*process));

	process->id = ++tasks->process_count;
	process->pid = pid;
	process->start = time;
	process->changed = true;
	process->subject = parent ? parent->subject : process->id == 1;
	if (parent) {
		process->parent = parent->id;
		process->program = xstrdup(parent->program);
		process->path = xstrdup(parent->path);
		process->space = space_share(parent->space);
		process->image = parent->image;
		process->residue = parent->residue;
	} else {
		process->program = xstrdup("");
		process->path = xstrdup("");
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

	task->id = ++tasks->task_count;
	task->process = process;
	task->tid = tid;
	task->start = time;
	task->changed = true;
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
	process->end = time;
	process->changed = true;
	if (tasks_process(tasks, process->pid) == process)
		idmap_remove(&tasks->by_pid, (uint64_t)process->pid);
}

void tasks_end_task(struct tasks *tasks, struct task *task, uint64_t time)
{
	struct process *process = task->process;

	task->end = time;
	task->changed = true;
	if (tasks_task(tasks, task->tid) == task)
		idmap_remove(&tasks->by_tid, (uint64_t)task->tid);
	assert(tasks->alive > 0 && process->live > 0);
	tasks->alive--;
	if (--process->live == 0)
		tasks_end_process(tasks, process, time);
}

void tasks_renumber(struct tasks *tasks, struct task *task, pid_t tid)
{
	if (tasks_task(tasks, task->tid) == task)
		idmap_remove(&tasks->by_tid, (uint64_t)task->tid);
	task->tid = tid;
	task->changed = true;
	idmap_put(&tasks->by_tid, (uint64_t)tid, (uintptr_t)task);
}

void tasks_exec(struct process *process, const char *name)
{
	free(process->program);
	free(process->path);
	process->program = xstrdup(name);
	process->path = xstrdup(name);
	process->execs++;
	process->subject = process->id == 1;
	process->awaiting_image = true;
	process->image = NULL;
	process->no_memory = false;
	process->changed = true;
	space_clear(&process->space);
}

void tasks_set_image(struct process *process, const char *path)
{
	free(process->program);
	free(process->path);
	process->path = xstrdup(path);
	process->program = xstrdup(path_base(path));
	process->awaiting_image = false;
	process->choice = NULL;
	process->changed = true;
}

void tasks_process_rows(struct tasks *tasks, struct engine *engine, struct recordset *set)
{
	for (struct process *process = tasks->processes; process; process = process->next) {
		struct record_process row = {
			.process = process->id,
			.pid = (uint64_t)process->pid,
			.parent = process->parent,
			.start = process->start,
			.end = process->end,
			.execs = process->execs,
		};

		if (!process->changed)
			continue;
		process->changed = false;
		row.program = engine_string(engine, process->program);
		row.path = engine_string(engine, process->path);
		recordset_add(set, &row);
	}
}

void tasks_rows(struct tasks *tasks, struct engine *engine, struct recordset *set)
{
	for (struct task *task = tasks->all; task; task = task->next) {
		struct record_task row = {
			.task = task->id,
			.process = task->process->id,
			.tid = (uint64_t)task->tid,
			.start = task->start,
			.end = task->end,
			.cpu = task->cpu + task->waits.switching.taken,
			.wait = task->wait,
			.delay = task->delay,
			.switches = task->switches,
		};

		if (!task->changed)
			continue;
		task->changed = false;
		row.name = engine_string(engine, task->name);
		recordset_add(set, &row);
	}
}

void tasks_activity_rows(struct tasks *tasks, uint64_t time, struct recordset *set)
{
	for (struct task *task = tasks->all; task; task = task->next) {
		struct record_activity row = {
			.time = time,
			.task = task->id,
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

/* Whether a task that ended is wanted no longer. */
static bool is_done(const struct task *task)
{
	return task->state == TASK_ENDED && !task->changed && !task->kept &&
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
		free_task(task);
	}
	for (struct process *process = tasks->processes; process; process = next_process) {
		next_process = process->next;
		if (process->task_count || process->changed)
			continue;
		if (next_process)
			next_process->previous = process->previous;
		*(process->previous ? &process->previous->next : &tasks->processes) = next_process;
		free_process(process);
	}
}
