/* SPDX-License-Identifier: Apache-2.0 */
/* Applies the kernel's records, in order of time, to the data on the step. */
#include "common/compat.h"
#include "common/clock.h"
#include "sampler/sampler-data.h"

#include <sys/sysmacros.h>

/* Maximum time between attaching to a task and the record of its start. */
#define SAME_TASK (100 * NSEC_PER_MSEC)

void observe_init(struct observe *observe)
{
	*observe = (struct observe){ .next_change = UINT64_MAX };
}

void observe_transactions(struct sampler *sampler, uint64_t time)
{
	uint64_t switched;

	bool paused;

	do {
		sampler->observe.next_change =
			transactions_advance(sampler->transactions, time, &switched);
		if (switched)
			step_clock_advance(&sampler->clock, switched);
		paused = sampler->suspended || transactions_paused(sampler->transactions);
		if (paused != sampler->clock.paused)
			duty_pause(sampler, sampler->clock.now, paused);
		sampler->clock.paused = paused;
	} while (switched);
}

/* Ends a task, as reported by a record or found in /proc. */
static void end_task(struct sampler *sampler, struct task *task, uint64_t time)
{
	struct process *process = task->process;

	duty_settle(sampler, time);
	wait_delay_end(task);
	state_set(&sampler->states, task, TASK_ENDED);
	losses_forget(&sampler->losses, task);
	waits_end(&sampler->waits, task);
	short_tasks_end(&sampler->short_tasks, task);
	prompt_forget(sampler->prompt, task);
	estimate_end(&sampler->estimate, task, time);
	transactions_forget(sampler->transactions, task->base->tid, time);
	tasks_end_task(&sampler->tasks, task, time);
	if (process->live > 0)
		return;
	collect_forget(sampler->collect, process);
	resource_usage_end(&sampler->resource_usage, process);
	files_forget(sampler->files, process->base->pid);
}

void observe_end(struct sampler *sampler, struct task *task)
{
	end_task(sampler, task, sampler->clock.now);
}

/* Returns the process with a pid; adds it if it is unknown. */
static struct process *need_process(struct sampler *sampler, pid_t pid, uint64_t time)
{
	struct process *process = tasks_process(&sampler->tasks, pid);

	if (!process)
		process = tasks_add_process(&sampler->tasks, pid, NULL, time);
	return process;
}

/*
 * Returns the task with a tid. An unknown one is added only if records were lost:
 * otherwise this is a late record of a task that has ended.
 */
static struct task *need_task(struct sampler *sampler, pid_t pid, pid_t tid, uint64_t time)
{
	struct task *task = tasks_task(&sampler->tasks, tid);

	if (task || tid <= 0 || pid <= 0 || sampler->observe.records_lost == 0)
		return task;
	return tasks_add_task(&sampler->tasks, need_process(sampler, pid, time), tid, "", time);
}

/* A task has started another, or a process. */
static void on_fork(struct sampler *sampler, const struct observation *seen)
{
	struct task *parent = tasks_task(&sampler->tasks, seen->fork.parent_tid);
	struct task *earlier = tasks_task(&sampler->tasks, seen->tid);
	struct process *process;
	struct task *task;

	if (earlier && earlier->present && seen->time < earlier->base->start + SAME_TASK)
		return; /* it was found in /proc before this record was written */
	if (earlier)
		end_task(sampler, earlier, seen->time); /* its end was lost */
	process = tasks_process(&sampler->tasks, seen->pid);
	if (!process) {
		process = tasks_add_process(&sampler->tasks, seen->pid,
					    tasks_process(&sampler->tasks, seen->fork.parent_pid),
					    seen->time);
	}
	task = tasks_add_task(&sampler->tasks, process, seen->tid, parent ? parent->name : "",
			      seen->time);
	/* A new process begins where its parent is. */
	if (parent && seen->pid != seen->fork.parent_pid)
		task->stack = parent->stack;
	wait_delay_begin(task, false);
	switching_begin(task);
	perf_keep(&sampler->perf, seen->fork.parent_tid);
	short_tasks_begin(&sampler->short_tasks, task, parent);
	state_set(&sampler->states, task, TASK_PREEMPTED);
}

/* A task has ended. */
static void on_end(struct sampler *sampler, const struct observation *seen)
{
	struct task *task = tasks_task(&sampler->tasks, seen->tid);

	if (!task)
		return;
	state_executed(&sampler->states, task);
	end_task(sampler, task, seen->time);
}

/* Ends all tasks of a process but one, which has called exec. */
static void end_others(struct sampler *sampler, struct process *process, const struct task *stays,
		       uint64_t time)
{
	struct task *next;

	for (struct task *task = sampler->tasks.all; task; task = next) {
		next = task->next;
		if (task->process == process && task != stays && task->state != TASK_ENDED)
			end_task(sampler, task, time);
	}
}

/* Returns the running task of a process: the one that can have called exec. */
static struct task *running_task(struct sampler *sampler, const struct process *process)
{
	for (struct task *task = sampler->tasks.all; task; task = task->next)
		if (task->process == process && task->state == TASK_RUNNING)
			return task;
	return NULL;
}

/* A process executes another program from now on. */
static void on_exec(struct sampler *sampler, const struct observation *seen)
{
	struct process *process = tasks_process(&sampler->tasks, seen->pid);
	struct task *task = tasks_task(&sampler->tasks, seen->tid);

	if (!process && sampler->observe.records_lost == 0)
		return; /* late: it has ended */
	process = need_process(sampler, seen->pid, seen->time);
	/* A thread that calls exec gets the number of the process. */
	if (!task && (task = running_task(sampler, process))) {
		transactions_renumber(sampler->transactions, task->base->tid, seen->tid,
				      seen->time);
		tasks_renumber(&sampler->tasks, task, seen->tid, seen->time);
	}
	if (!task)
		task = need_task(sampler, seen->pid, seen->tid, seen->time);
	if (!task)
		return;
	state_executed(&sampler->states, task);
	if (process->live > 1)
		end_others(sampler, process, task, seen->time);
	if (task->state == TASK_UNSEEN) {
		/* Until now it waited for the session, and then for a processor. */
		wait_delay_begin(task, true);
		task->base->start = seen->time;
		process->base->start = seen->time;
	}
	tasks_exec(process, seen->comm.name);
	collect_forget(sampler->collect, process);
	prompt_drop(sampler->prompt, task);
	snprintf(task->name, sizeof(task->name), "%s", seen->comm.name);
	task->stack = 0;
	kernel_looks_forget(task);
	waits_exec(&sampler->waits, task);
	state_set(&sampler->states, task, TASK_RUNNING);
}

/* A task has a new name, by exec or by its choice. */
static void on_comm(struct sampler *sampler, const struct observation *seen)
{
	struct task *task;

	if (seen->comm.exec) {
		on_exec(sampler, seen);
		return;
	}
	task = tasks_task(&sampler->tasks, seen->tid);
	if (!task)
		return;
	snprintf(task->name, sizeof(task->name), "%s", seen->comm.name);
	task->base->changed = true;
}

/* Executable memory was mapped. */
static void on_map(struct sampler *sampler, const struct observation *seen)
{
	struct process *process = tasks_process(&sampler->tasks, seen->pid);
	const struct mapping *mapping;

	if (!process)
		return;
	space_map(&process->space, &sampler->objects, seen->pid, seen->map.start, seen->map.length,
		  seen->map.offset, seen->map.path, makedev(seen->map.major, seen->map.minor),
		  (ino_t)seen->map.inode);
	/* The kernel maps the program first. */
	if (!process->awaiting_image || seen->map.path[0] != '/')
		return;
	tasks_set_image(process, seen->map.path);
	process->residue = residues_get(&sampler->residues, process->base->path);
	mapping = space_find(process->space, seen->map.start);
	process->image = mapping ? mapping->object : NULL;
}

/* A task left the processor. */
static void on_out(struct sampler *sampler, const struct observation *seen)
{
	struct task *task = need_task(sampler, seen->pid, seen->tid, seen->time);
	bool preempted = seen->preempted;

	if (!task)
		return;
	state_confirm(&sampler->states, task);
	state_executed(&sampler->states, task);
	losses_executes(&sampler->losses, seen->processor, task, false);
	if (!sampler->clock.paused) {
		task->switches++;
		sampler->tasks.switches++;
	}
	/* It left only because vigil stopped it. */
	if (!preempted && task_stop_covers(&sampler->task_stops, seen->tid, seen->time))
		preempted = true;
	if (!preempted)
		sampler->observe.blocked++;
	state_set(&sampler->states, task, preempted ? TASK_PREEMPTED : TASK_BLOCKED);
}

/* A task was given a processor. */
static void on_in(struct sampler *sampler, const struct observation *seen)
{
	struct task *task = need_task(sampler, seen->pid, seen->tid, seen->time);

	if (!task)
		return;
	state_confirm(&sampler->states, task);
	losses_executes(&sampler->losses, seen->processor, task, true);
	waits_leave(task, NULL, false);
	if (task->state == TASK_BLOCKED)
		estimate_wait(&sampler->estimate, task, waits_began(task), sampler->clock.now);
	state_set(&sampler->states, task, TASK_RUNNING);
}

/* A task is about to leave the processor. */
static void on_leaving(struct sampler *sampler, const struct observation *seen)
{
	struct task *task = need_task(sampler, seen->pid, seen->tid, seen->time);

	if (task && !sampler->clock.paused)
		switch_places_take(&sampler->switch_places, task, seen);
}

/* A task was seen executing. */
static void on_sample(struct sampler *sampler, const struct observation *seen)
{
	struct task *task = need_task(sampler, seen->pid, seen->tid, seen->time);
	size_t before = sampler->ledger.rows.count;

	if (!task || sampler->clock.paused)
		return;
	state_confirm(&sampler->states, task);
	state_executed(&sampler->states, task);
	losses_executes(&sampler->losses, seen->processor, task, true);
	state_set(&sampler->states, task, TASK_RUNNING);
	samples_take(&sampler->samples, task, seen);
	if (sampler->ledger.rows.count <= before)
		return;
	losses_sampled(&sampler->losses, seen->processor, task);
	duty_sampled(task, recordset_get(&sampler->ledger.rows, sampler->ledger.rows.count - 1));
}

/* A page that a task needed was read. */
static void on_fault(struct sampler *sampler, const struct observation *seen)
{
	struct task *task = need_task(sampler, seen->pid, seen->tid, seen->time);

	if (!task || sampler->clock.paused)
		return;
	state_executed(&sampler->states, task);
	state_set(&sampler->states, task, TASK_RUNNING);
	if (waits_may_be_fault(&sampler->waits, task))
		waits_fault(&sampler->waits, task, samples_stack(&sampler->samples, task, seen),
			    fault_files_find(&sampler->fault_files, task->process->base->pid, task->base->tid,
					     seen->sample.address));
}

/* A task was given a page of memory during a look. */
static void on_page(struct sampler *sampler, const struct observation *seen)
{
	struct task *task = tasks_task(&sampler->tasks, seen->tid);

	if (task && !sampler->clock.paused)
		kernel_looks_page(&sampler->kernel_looks, task, seen);
}

/* Records are missing from here on: the states of tasks are uncertain. */
static void on_lost(struct sampler *sampler, const struct observation *seen)
{
	sampler->observe.records_lost += seen->lost;
	losses_dropped(&sampler->losses, seen->processor, seen->lost);
	sampler->observe.switches_lost = true;
	sampler->observe.verify = true;
}

void observe_record(void *argument, const struct observation *seen)
{
	struct sampler *sampler = argument;

	if (seen->time >= sampler->observe.next_change)
		observe_transactions(sampler, seen->time);
	step_clock_advance(&sampler->clock, seen->time);
	switch (seen->kind) {
	case OBSERVED_SAMPLE:
		on_sample(sampler, seen);
		break;
	case OBSERVED_FAULT:
		on_fault(sampler, seen);
		break;
	case OBSERVED_PAGE:
		on_page(sampler, seen);
		break;
	case OBSERVED_LEAVING:
		on_leaving(sampler, seen);
		break;
	case OBSERVED_IN:
		on_in(sampler, seen);
		break;
	case OBSERVED_OUT:
		on_out(sampler, seen);
		break;
	case OBSERVED_FORK:
		on_fork(sampler, seen);
		break;
	case OBSERVED_EXIT:
		on_end(sampler, seen);
		break;
	case OBSERVED_COMM:
		on_comm(sampler, seen);
		break;
	case OBSERVED_MAP:
		on_map(sampler, seen);
		break;
	case OBSERVED_LOST:
		on_lost(sampler, seen);
		break;
	}
	losses_seen(&sampler->losses, seen->processor);
}

unsigned observe_drain(struct sampler *sampler, uint64_t time)
{
	unsigned fill = 0;

	if (time <= sampler->clock.now)
		return 0;
	observe_transactions(sampler, sampler->clock.now);
	if (sampler->perf.open)
		fill = perf_drain(&sampler->perf, time, observe_record, sampler);
	if (time >= sampler->observe.next_change)
		observe_transactions(sampler, time);
	step_clock_advance(&sampler->clock, time);
	return fill;
}

void observe_all(struct sampler *sampler)
{
	observe_drain(sampler, clock_monotonic_ns());
}
