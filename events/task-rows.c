/* SPDX-License-Identifier: Apache-2.0 */
/* Gives TASK ids to the tasks of events. */
#include "common/compat.h"
#include "events/task-rows.h"

void task_rows_init(struct task_rows *rows)
{
	rows->next = EVENT_IDS_FIRST;
	idmap_init(&rows->pids);
	idmap_init(&rows->tasks);
	idmap_init(&rows->cpu);
}

void task_rows_release(struct task_rows *rows)
{
	idmap_release(&rows->pids);
	idmap_release(&rows->tasks);
	idmap_release(&rows->cpu);
}

/* Process and thread as one key. */
static uint64_t key_of(uint64_t pid, uint64_t tid)
{
	return pid << 32 | (tid & UINT32_MAX);
}

/* Take over what the sampler knows. */
static void look(struct task_rows *rows, const struct snapshot *snapshot)
{
	const struct recordset *processes = snapshot_records(snapshot, RECORD_PROCESS);
	const struct recordset *tasks = snapshot_records(snapshot, RECORD_TASK);
	uint64_t pid;

	for (size_t i = 0; i < processes->count; i++) {
		const struct record_process *row = recordset_get(processes, i);

		if (row->process < EVENT_IDS_FIRST)
			idmap_put(&rows->pids, row->process, row->pid);
	}
	for (size_t i = 0; i < tasks->count; i++) {
		const struct record_task *row = recordset_get(tasks, i);

		if (row->task < EVENT_IDS_FIRST)
			idmap_put(&rows->cpu, row->task, row->cpu);
		if (row->task < EVENT_IDS_FIRST && idmap_get(&rows->pids, row->process, &pid))
			idmap_put(&rows->tasks, key_of(pid, row->tid), row->task);
	}
}

/* The row of a process that the sampler does not know. */
static void add_process(struct task_rows *rows, struct event_decoder *decoder,
			struct event_process *process, struct snapshot *snapshot)
{
	const struct event_program *program = event_sites_at(decoder->sites, process->program);
	struct record_process row = { 0 };
	struct strbuf path = STRBUF_INIT;
	uint64_t parent;

	if (!process->id)
		process->id = rows->next++;
	event_pool_name(decoder->pool, process->name, &path);
	row.process = process->id;
	row.pid = (uint64_t)process->pid;
	if (idmap_get(&decoder->by_pid, (uint64_t)process->parent, &parent))
		row.parent = decoder->processes[parent]->id;
	row.start = process->start;
	row.end = process->end;
	row.program = engine_string(decoder->engine, program ? program->name : "");
	row.path = engine_string(decoder->engine, path.text);
	row.execs = process->execs;
	recordset_add(snapshot_set(snapshot, RECORD_PROCESS), &row);
	process->changed = false;
	strbuf_release(&path);
}

/* The row of a task that the sampler does not know. */
static void add_task(struct event_decoder *decoder, struct event_task *task,
		     struct snapshot *snapshot)
{
	const struct event_program *program =
		event_sites_at(decoder->sites, task->process ? task->process->program : 0);
	struct record_task row = { .task = task->id,
				   .process = task->process ? task->process->id : 0,
				   .tid = (uint64_t)task->tid,
				   .start = task->start,
				   .end = task->end,
				   .cpu = task->cpu };

	row.name = engine_string(decoder->engine, program ? program->name : "");
	recordset_add(snapshot_set(snapshot, RECORD_TASK), &row);
	task->changed = false;
}

void task_rows_make(struct task_rows *rows, struct event_decoder *decoder,
		    struct snapshot *snapshot)
{
	look(rows, snapshot);
	for (size_t i = 0; i < decoder->task_count; i++) {
		struct event_task *task = decoder->tasks[i];
		uint64_t known;

		if (!task->id &&
		    idmap_get(&rows->tasks, key_of((uint64_t)task->pid, (uint64_t)task->tid),
			      &known))
			task->id = known;
		if (!task->id)
			task->id = rows->next++;
		if (task->gone)
			event_decoder_gone(decoder, task,
					   idmap_get(&rows->cpu, task->id, &known) ? known : 0,
					   snapshot->last);
		if (task->id < EVENT_IDS_FIRST || !task->changed)
			continue;
		if (task->process && (!task->process->id || task->process->changed))
			add_process(rows, decoder, task->process, snapshot);
		add_task(decoder, task, snapshot);
	}
}
