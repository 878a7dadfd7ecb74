/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the tasks of a recording. */
#include "common/compat.h"
#include "session/import/imported-tasks.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "session/import/imported-file.h"

void imported_tasks_init(struct imported_tasks *tasks, bool switches, uint64_t start)
{
	memset(tasks, 0, sizeof(*tasks));
	tasks->switches = switches;
	idmap_init(&tasks->by_pid);
	idmap_init(&tasks->by_tid);
	idmap_init(&tasks->on_processor);
	step_clock_init(&tasks->clock, start);
}

void imported_tasks_release(struct imported_tasks *tasks)
{
	for (size_t i = 0; i < tasks->process_count; i++) {
		free(tasks->processes[i]->program);
		free(tasks->processes[i]->path);
		space_drop(tasks->processes[i]->space);
		free(tasks->processes[i]);
	}
	for (size_t i = 0; i < tasks->task_count; i++) {
		wait_tallies_release(&tasks->tasks[i]->tallies);
		free(tasks->tasks[i]->name);
		free(tasks->tasks[i]);
	}
	free(tasks->processes);
	free(tasks->tasks);
	idmap_release(&tasks->by_pid);
	idmap_release(&tasks->by_tid);
	idmap_release(&tasks->on_processor);
}

void imported_tasks_advance(struct imported_tasks *tasks, uint64_t time)
{
	step_clock_advance(&tasks->clock, time);
}

static void set_text(char **place, const char *text)
{
	char *copy = xstrdup(text);

	free(*place);
	*place = copy;
}

/* Creates a process, which takes over the number from an earlier one. */
static struct imported_process *new_process(struct imported_tasks *tasks, uint32_t pid)
{
	struct imported_process *process = xcalloc(1, sizeof(*process));

	process->pid = pid;
	process->program = xstrdup("");
	process->path = xstrdup("");
	process->space = space_new();
	GROW(tasks->processes, tasks->process_count + 1, tasks->process_alloc);
	tasks->processes[tasks->process_count] = process;
	idmap_put(&tasks->by_pid, pid, tasks->process_count++);
	return process;
}

struct imported_process *imported_tasks_process(struct imported_tasks *tasks, uint32_t pid)
{
	uint64_t number;

	return idmap_get(&tasks->by_pid, pid, &number) ? tasks->processes[number]
						       : new_process(tasks, pid);
}

static struct imported_task *new_task(struct imported_tasks *tasks, uint32_t pid, uint32_t tid)
{
	struct imported_task *task = xcalloc(1, sizeof(*task));

	task->process = imported_tasks_process(tasks, pid);
	task->tid = tid;
	task->name = xstrdup("");
	GROW(tasks->tasks, tasks->task_count + 1, tasks->task_alloc);
	tasks->tasks[tasks->task_count] = task;
	task->number = tasks->task_count;
	task->processor = UINT32_MAX;
	idmap_put(&tasks->by_tid, tid, tasks->task_count++);
	return task;
}

struct imported_task *imported_tasks_task(struct imported_tasks *tasks, uint32_t pid, uint32_t tid)
{
	uint64_t number;

	if (idmap_get(&tasks->by_tid, tid, &number) && tasks->tasks[number]->process->pid == pid)
		return tasks->tasks[number];
	return new_task(tasks, pid, tid);
}

struct imported_task *imported_tasks_find(struct imported_tasks *tasks, uint32_t tid)
{
	uint64_t number;

	return idmap_get(&tasks->by_tid, tid, &number) ? tasks->tasks[number] : NULL;
}

struct imported_task *imported_tasks_sampled(struct imported_tasks *tasks, uint32_t pid,
					     uint32_t tid, uint32_t processor)
{
	struct imported_task *task;
	uint64_t number;

	if (tid == IMPORTED_ENDED_TID && idmap_get(&tasks->on_processor, processor, &number))
		return tasks->tasks[number];
	task = imported_tasks_task(tasks, pid, tid);
	if (processor != UINT32_MAX && tid != IMPORTED_ENDED_TID) {
		idmap_put(&tasks->on_processor, processor, task->number);
		task->processor = processor;
	}
	return task;
}

/* Marks a process as active: it has rows from now on. */
static void process_seen(struct imported_tasks *tasks, struct imported_process *process,
			 uint64_t time)
{
	if (process->id)
		return;
	process->id = ++tasks->process_ids;
	if (!process->start)
		process->start = time;
	process->changed = true;
}

void imported_tasks_seen(struct imported_tasks *tasks, struct imported_task *task, uint64_t time)
{
	process_seen(tasks, task->process, time);
	if (task->id)
		return;
	task->id = ++tasks->task_ids;
	if (!task->start)
		task->start = time;
	if (!*task->name)
		set_text(&task->name, task->process->program);
	task->changed = true;
	tasks->alive++;
}

void imported_tasks_name(struct imported_tasks *tasks, uint32_t pid, uint32_t tid, const char *name,
			 bool exec, uint64_t time)
{
	struct imported_task *task = imported_tasks_task(tasks, pid, tid);
	struct imported_process *process = task->process;

	set_text(&task->name, name);
	task->changed = true;
	if (exec) {
		space_clear(&process->space);
		process->awaiting_image = true;
		process->execs++;
		imported_tasks_seen(tasks, task, time);
	}
	if (exec || (pid == tid && !*process->path)) {
		set_text(&process->program, name);
		/* For a process older than the recording, the mappings follow its name. */
		process->awaiting_image = true;
		process->changed = true;
	}
	if (exec)
		imported_tasks_executes(tasks, task);
}

void imported_tasks_program(struct imported_process *process, const char *name)
{
	if (strcmp(process->program, name) == 0)
		return;
	set_text(&process->program, name);
	process->changed = true;
}

const char *imported_tasks_main_program(const struct imported_tasks *tasks)
{
	const struct imported_process *most = NULL;

	for (size_t i = 0; i < tasks->process_count; i++) {
		const struct imported_process *process = tasks->processes[i];

		if (process->execs && !process->parent)
			return process->program;
		if (process->id && (!most || process->samples > most->samples))
			most = process;
	}
	return most ? most->program : "";
}

void imported_tasks_image(struct imported_process *process, const char *path)
{
	if (!process->awaiting_image || path[0] != '/')
		return;
	process->awaiting_image = false;
	set_text(&process->path, path);
	set_text(&process->program, path_base(path));
	process->changed = true;
}

/* Starts the clocks of a state, or of its next part. */
static void start_clocks(const struct imported_tasks *tasks, struct imported_task *task)
{
	task->since = tasks->clock.active;
	task->share = tasks->clock.share[task->class];
	task->alone = tasks->clock.alone[task->class];
	task->run_alone = tasks->clock.run_alone;
}

/* Begins a wait at the place task->site. */
static void begin_wait(struct imported_tasks *tasks, struct imported_task *task)
{
	bool ready = task->site.reason == WAIT_DISPATCH;

	task->state = IMPORTED_WAITING;
	task->class = ready ? CLASS_MAJOR : wait_site_class(&task->site);
	step_clock_begin_wait(&tasks->clock, task->class);
	if (ready)
		step_clock_begin_preempted(&tasks->clock);
	start_clocks(tasks, task);
}

/* Records the wait so far; ended: and ends it. */
static void take_wait(struct imported_tasks *tasks, struct imported_task *task, bool ended)
{
	const struct step_clock *clock = &tasks->clock;
	bool ready = task->site.reason == WAIT_DISPATCH;
	struct wait_amount part = {
		.count = ended,
		.total = clock->active - task->since,
		.charged = clock->share[task->class] - task->share,
		.solo = clock->alone[task->class] - task->alone,
	};

	wait_tallies_add(&task->tallies, &task->site, &part);
	if (ready)
		task->delay += part.total;
	else
		task->wait += part.total;
	task->snapshot_charged += part.charged;
	task->snapshot_charged_solo += part.solo;
	task->changed |= part.total > 0;
	start_clocks(tasks, task);
	if (!ended)
		return;
	step_clock_end_wait(&tasks->clock, task->class);
	if (ready)
		step_clock_end_preempted(&tasks->clock);
}

static void begin_running(struct imported_tasks *tasks, struct imported_task *task)
{
	task->state = IMPORTED_RUNNING;
	task->class = CLASS_MAJOR;
	step_clock_begin_running(&tasks->clock);
	start_clocks(tasks, task);
}

/* Records the execution so far; ended: the task leaves the processor. */
static void take_running(struct imported_tasks *tasks, struct imported_task *task, bool ended)
{
	uint64_t time = tasks->clock.active - task->since;

	task->cpu += time;
	tasks->cpu += time;
	task->snapshot_cpu += time;
	task->snapshot_cpu_solo += tasks->clock.run_alone - task->run_alone;
	task->changed |= time > 0;
	start_clocks(tasks, task);
	if (ended)
		step_clock_end_running(&tasks->clock);
}

/* Ends the current state. */
static void leave_state(struct imported_tasks *tasks, struct imported_task *task)
{
	if (task->state == IMPORTED_RUNNING)
		take_running(tasks, task, true);
	else if (task->state == IMPORTED_WAITING)
		take_wait(tasks, task, true);
}

void imported_tasks_executes(struct imported_tasks *tasks, struct imported_task *task)
{
	if (tasks->switches && task->state == IMPORTED_UNSEEN && task->tid != IMPORTED_ENDED_TID)
		begin_running(tasks, task);
}

void imported_tasks_set_wait_site(struct imported_task *task, const struct wait_site *site)
{
	task->leaving = *site;
	task->leaving_known = true;
}

void imported_tasks_switch_out(struct imported_tasks *tasks, struct imported_task *task, bool preempted)
{
	/* If it is already waiting, the record of its return was lost. */
	if (!tasks->switches || task->state == IMPORTED_WAITING || task->state == IMPORTED_ENDED)
		return;
	leave_state(tasks, task);
	task->switches++;
	tasks->switch_count++;
	task->site = (struct wait_site){ .stack = task->stack, .reason = WAIT_UNKNOWN };
	if (task->leaving_known)
		task->site = task->leaving;
	if (preempted)
		task->site = (struct wait_site){ .stack = task->site.stack, .reason = WAIT_DISPATCH };
	task->leaving_known = false;
	begin_wait(tasks, task);
}

void imported_tasks_switch_in(struct imported_tasks *tasks, struct imported_task *task,
		       uint32_t processor)
{
	struct imported_task *before = NULL;
	uint64_t number;

	if (!tasks->switches)
		return;
	if (processor != UINT32_MAX && idmap_get(&tasks->on_processor, processor, &number))
		before = tasks->tasks[number];
	if (before && before != task && before->state == IMPORTED_RUNNING &&
	    before->processor == processor)
		imported_tasks_switch_out(tasks, before, false);
	if (!task || task->state == IMPORTED_ENDED)
		return;
	if (processor != UINT32_MAX)
		idmap_put(&tasks->on_processor, processor, task->number);
	task->processor = processor;
	if (task->state == IMPORTED_RUNNING)
		return;
	leave_state(tasks, task);
	begin_running(tasks, task);
}

void imported_tasks_fork(struct imported_tasks *tasks, uint32_t parent_pid, uint32_t pid,
			 uint32_t tid, uint64_t time)
{
	struct imported_process *parent = imported_tasks_process(tasks, parent_pid);
	struct imported_process *process = parent;
	struct imported_task *task;

	if (pid != parent_pid && pid == tid) {
		process = new_process(tasks, pid);
		process->parent = parent;
		process->start = time;
		space_drop(process->space);
		process->space = space_share(parent->space);
		set_text(&process->program, parent->program);
		set_text(&process->path, parent->path);
	}
	task = new_task(tasks, pid, tid);
	task->start = time;
	set_text(&task->name, process->program);
	/* Records that perf itself writes for existing tasks have no time. */
	if (!time)
		return;
	imported_tasks_seen(tasks, task, time);
	if (!tasks->switches)
		return;
	task->site = (struct wait_site){ .reason = WAIT_DISPATCH };
	begin_wait(tasks, task);
}

void imported_tasks_exit(struct imported_tasks *tasks, uint32_t pid, uint32_t tid, uint64_t time)
{
	struct imported_task *task = imported_tasks_task(tasks, pid, tid);

	imported_tasks_seen(tasks, task, time);
	if (task->state == IMPORTED_ENDED)
		return;
	leave_state(tasks, task);
	task->state = IMPORTED_ENDED;
	task->end = time;
	task->changed = true;
	tasks->alive -= tasks->alive > 0;
	if (pid == tid) {
		task->process->end = time;
		task->process->changed = true;
	}
}

static void process_row(struct imported_process *process, struct imported_file *file)
{
	struct record_process row = {
		.process = process->id,
		.pid = process->pid,
		.parent = process->parent ? process->parent->id : 0,
		.start = process->start,
		.end = process->end,
		.program = imported_file_string(file, process->program),
		.path = imported_file_string(file, process->path),
		.execs = process->execs,
	};

	process->changed = false;
	imported_file_add(file, RECORD_PROCESS, &row);
}

static void task_row(struct imported_task *task, struct imported_file *file)
{
	struct record_task row = {
		.task = task->id,
		.process = task->process->id,
		.tid = task->tid,
		.start = task->start,
		.end = task->end,
		.name = imported_file_string(file, task->name),
		.cpu = task->cpu,
		.wait = task->wait,
		.delay = task->delay,
		.switches = task->switches,
	};

	task->changed = false;
	imported_file_add(file, RECORD_TASK, &row);
}

static void activity_row(struct imported_task *task, struct imported_file *file, uint64_t time)
{
	struct record_activity row = {
		.time = time,
		.task = task->id,
		.cpu = task->snapshot_cpu,
		.cpu_solo = task->snapshot_cpu_solo,
		.charged = task->snapshot_charged,
		.charged_solo = task->snapshot_charged_solo,
	};

	task->snapshot_cpu = task->snapshot_cpu_solo = task->snapshot_charged = task->snapshot_charged_solo = 0;
	if (row.cpu || row.charged)
		imported_file_add(file, RECORD_ACTIVITY, &row);
}

/* Writes the row of the whole step. */
static void step_row(struct imported_tasks *tasks, struct imported_file *file, uint64_t time)
{
	struct record_step row = { .time = time, .tasks = tasks->alive };

	step_clock_take(&tasks->clock, &row.exec, &row.wait, &row.delay);
	row.interval = row.exec + row.wait + row.delay;
	if (row.interval)
		imported_file_add(file, RECORD_STEP, &row);
}

void imported_tasks_rows(struct imported_tasks *tasks, struct imported_file *file, uint64_t time,
			 bool last)
{
	for (size_t i = 0; i < tasks->process_count; i++)
		if (tasks->processes[i]->id && tasks->processes[i]->changed)
			process_row(tasks->processes[i], file);
	for (size_t i = 0; i < tasks->task_count; i++) {
		struct imported_task *task = tasks->tasks[i];

		if (!task->id)
			continue;
		if (task->state == IMPORTED_RUNNING)
			take_running(tasks, task, last);
		else if (task->state == IMPORTED_WAITING)
			take_wait(tasks, task, last);
		if (task->changed)
			task_row(task, file);
		activity_row(task, file, time);
		wait_tallies_rows(&task->tallies, task->id, time,
				  snapshot_set(&file->snapshot, RECORD_WAIT));
	}
	if (tasks->switches)
		step_row(tasks, file, time);
}
