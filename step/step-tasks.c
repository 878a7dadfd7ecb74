/* SPDX-License-Identifier: Apache-2.0 */
/* Assigns ids to the processes and tasks of a step. */
#include "common/compat.h"
#include "step/step-tasks.h"
#include "common/xalloc.h"

#include <assert.h>

void step_tasks_init(struct step_tasks *tasks)
{
	*tasks = (struct step_tasks){ 0 };
	numbers_init(&tasks->by_pid);
	numbers_init(&tasks->by_tid);
}

static void free_process(struct step_process *process)
{
	free(process->program);
	free(process->path);
	free(process);
}

void step_tasks_release(struct step_tasks *tasks)
{
	while (tasks->all) {
		struct step_task *task = tasks->all;

		tasks->all = task->next;
		free(task);
	}
	while (tasks->processes) {
		struct step_process *process = tasks->processes;

		tasks->processes = process->next;
		free_process(process);
	}
	numbers_release(&tasks->by_pid);
	numbers_release(&tasks->by_tid);
}

void step_tasks_reset(struct step_tasks *tasks)
{
	bool keep = tasks->keep;

	step_tasks_release(tasks);
	step_tasks_init(tasks);
	tasks->keep = keep;
}

void step_tasks_keep(struct step_tasks *tasks)
{
	tasks->keep = true;
}

/* Combines process and thread into one number. */
static uint64_t number_of(pid_t pid, pid_t tid)
{
	return (uint64_t)pid << 32 | (uint32_t)tid;
}

static struct step_process *add_process(struct step_tasks *tasks, pid_t pid, uint64_t time)
{
	struct step_process *process = xcalloc(1, sizeof(*process));

	process->id = ++tasks->process_count;
	process->pid = pid;
	process->start = time;
	process->program = xstrdup("");
	process->path = xstrdup("");
	process->changed = true;
	process->next = tasks->processes;
	if (process->next)
		process->next->previous = process;
	tasks->processes = process;
	numbers_add(&tasks->by_pid, (uint64_t)pid, process, &process->end, time);
	return process;
}

static struct step_task *add_task(struct step_tasks *tasks, struct step_process *process, pid_t tid,
				  uint64_t time)
{
	struct step_task *task = xcalloc(1, sizeof(*task));

	task->id = ++tasks->task_count;
	task->process = process;
	task->tid = tid;
	task->start = time;
	task->changed = true;
	task->next = tasks->all;
	if (task->next)
		task->next->previous = task;
	tasks->all = task;
	process->task_count++;
	numbers_add(&tasks->by_tid, number_of(process->pid, tid), task, &task->end, time);
	return task;
}

struct step_process *step_tasks_observe_process(struct step_tasks *tasks, pid_t pid,
						const struct step_process *parent, uint64_t time)
{
	struct step_process *process = numbers_newest(&tasks->by_pid, (uint64_t)pid, time);

	if (!process || process->observed)
		process = add_process(tasks, pid, time);
	else
		numbers_extend(&tasks->by_pid, (uint64_t)pid, process, time);
	process->observed = true;
	process->changed = true;
	if (time < process->start)
		process->start = time;
	process->end = 0;
	process->execs = 0;
	process->parent = parent ? parent->id : 0;
	step_process_set_program(process, parent ? parent->program : "",
				 parent ? parent->path : "");
	return process;
}

struct step_task *step_tasks_observe_task(struct step_tasks *tasks, struct step_process *process,
					  pid_t tid, uint64_t time)
{
	uint64_t number = number_of(process->pid, tid);
	struct step_task *task = numbers_newest(&tasks->by_tid, number, time);

	if (!task || task->observed || task->process != process)
		task = add_task(tasks, process, tid, time);
	else
		numbers_extend(&tasks->by_tid, number, task, time);
	task->observed = true;
	task->changed = true;
	if (time < task->start)
		task->start = time;
	task->end = 0;
	return task;
}

void step_tasks_renumber(struct step_tasks *tasks, struct step_task *task, pid_t tid, uint64_t time)
{
	pid_t pid = task->process->pid;

	if (!tasks->keep)
		numbers_remove(&tasks->by_tid, number_of(pid, task->tid), task);
	task->tid = tid;
	task->changed = true;
	numbers_add(&tasks->by_tid, number_of(pid, tid), task, &task->end, time);
}

void step_tasks_drop(struct step_tasks *tasks, struct step_task *task)
{
	struct step_process *process = task->process;

	if (tasks->keep)
		return;
	numbers_remove(&tasks->by_tid, number_of(process->pid, task->tid), task);
	if (task->next)
		task->next->previous = task->previous;
	*(task->previous ? &task->previous->next : &tasks->all) = task->next;
	assert(process->task_count > 0);
	process->task_count--;
	free(task);
}

void step_tasks_drop_process(struct step_tasks *tasks, struct step_process *process)
{
	if (tasks->keep)
		return;
	assert(process->task_count == 0);
	numbers_remove(&tasks->by_pid, (uint64_t)process->pid, process);
	if (process->next)
		process->next->previous = process->previous;
	*(process->previous ? &process->previous->next : &tasks->processes) = process->next;
	free_process(process);
}

struct step_process *step_tasks_find_process(const struct step_tasks *tasks, pid_t pid,
					     uint64_t from, uint64_t until)
{
	return numbers_find(&tasks->by_pid, (uint64_t)pid, from, until);
}

struct step_task *step_tasks_find_or_add(struct step_tasks *tasks, pid_t pid, pid_t tid, uint64_t from,
				  uint64_t until)
{
	struct step_task *task = numbers_find(&tasks->by_tid, number_of(pid, tid), from, until);
	struct step_process *process;

	RETURN_IF(task, task);
	process = step_tasks_find_process(tasks, pid, from, until);
	if (!process)
		process = add_process(tasks, pid, from);
	return add_task(tasks, process, tid, from);
}

void step_process_set_program(struct step_process *process, const char *program, const char *path)
{
	char *name = xstrdup(program), *file = xstrdup(path);

	free(process->program);
	free(process->path);
	process->program = name;
	process->path = file;
	process->changed = true;
}

void step_process_row(struct step_process *process, struct engine *engine, struct recordset *set)
{
	const struct record_process row = {
		.process = process->id,
		.pid = (uint64_t)process->pid,
		.parent = process->parent,
		.start = process->start,
		.end = process->end,
		.program = engine_string(engine, process->program),
		.path = engine_string(engine, process->path),
		.execs = process->execs,
	};

	process->changed = false;
	recordset_add(set, &row);
}

void step_task_row(struct step_task *task, struct record_task *row, struct recordset *set)
{
	row->task = task->id;
	row->process = task->process->id;
	row->tid = (uint64_t)task->tid;
	row->start = task->start;
	row->end = task->end;
	task->cpu = row->cpu;
	task->changed = false;
	recordset_add(set, row);
}
