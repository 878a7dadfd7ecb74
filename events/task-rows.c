/* SPDX-License-Identifier: Apache-2.0 */
/* Makes TASK and PROCESS rows of what only events have seen. */
#include "common/compat.h"
#include "events/task-rows.h"
#include "records/record-types.h"

/* Finds the task of the step that a task is. The newest image of a thread makes its rows. */
static void resolve_task(struct step_tasks *tasks, struct event_task *task, uint64_t now)
{
	/* Its first slot may not have been read yet. */
	uint64_t from = task->start ? task->start : now;

	if (task->base)
		return;
	task->base = step_tasks_find_or_add(tasks, task->pid, task->tid, from,
				     task->end ? task->end : UINT64_MAX);
	task->base->row_maker = task;
	task->id = task->base->id;
	/* A later holder of the number is another task. */
	if (task->end && !task->left && !task->base->observed)
		task->base->end = task->end;
}

/* Adds the row of a process. */
static void add_process(struct step_tasks *tasks, struct event_decoder *decoder,
			struct event_process *from, struct step_process *process,
			struct snapshot *snapshot)
{
	const struct event_program *program = event_sites_at(decoder->sites, from->program);
	const struct step_process *parent =
		step_tasks_find_process(tasks, from->parent, from->start, UINT64_MAX);
	struct strbuf path = STRBUF_INIT;

	event_pool_name(decoder->pool, from->name, &path);
	step_process_set_program(process, program ? program->name : "", path.text);
	process->start = from->start;
	process->parent = parent && parent != process ? parent->id : 0;
	process->end = from->end;
	process->execs = from->execs;
	from->changed = false;
	step_process_row(process, decoder->engine, snapshot_set(snapshot, RECORD_PROCESS));
	strbuf_release(&path);
}

/* Adds the row of a task. */
static void add_task(struct event_decoder *decoder, struct event_task *task,
		     struct snapshot *snapshot)
{
	const struct event_program *program =
		event_sites_at(decoder->sites, task->process ? task->process->program : 0);
	struct step_task *base = task->base;
	struct record_task row = { .cpu = task->cpu > base->cpu ? task->cpu : base->cpu };

	row.name = engine_string(decoder->engine, program ? program->name : "");
	if (task->start && task->start < base->start)
		base->start = task->start;
	if (!task->left)
		base->end = task->end;
	task->changed = false;
	step_task_row(base, &row, snapshot_set(snapshot, RECORD_TASK));
}

void task_rows_make(struct step_tasks *tasks, struct event_decoder *decoder,
		    struct snapshot *snapshot)
{
	/* All of them first, since the newest of a thread makes its row. */
	for (size_t i = 0; i < decoder->task_count; i++)
		resolve_task(tasks, decoder->tasks[i], snapshot->time);
	for (size_t i = 0; i < decoder->task_count; i++) {
		struct event_task *task = decoder->tasks[i];
		struct step_process *process;

		/* Tasks released by the end of others may be new. */
		resolve_task(tasks, task, snapshot->time);
		if (task->gone)
			event_decoder_gone(decoder, task,
					   task->base->observed ? task->base->cpu : 0,
					   snapshot->last);
		process = task->base->process;
		if (!task->changed || task->base->observed || task->base->row_maker != task)
			continue;
		if (!process->observed && task->process &&
		    (process->changed || task->process->changed))
			add_process(tasks, decoder, task->process, process, snapshot);
		else if (!process->observed && process->changed)
			step_process_row(process, decoder->engine, snapshot_set(snapshot, RECORD_PROCESS));
		add_task(decoder, task, snapshot);
	}
}
