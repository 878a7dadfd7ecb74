/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lowest rung: no kernel records at all. Every tick the tasks of the tree
 * are looked at in /proc: who is there, what state it is in, how much CPU time
 * it has used. Times of states are as fine as the tick; CPU time is exact.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "sampler/core.h"
#include "sampler/attach.h"
#include "sampler/present.h"

#include <fcntl.h>
#include <unistd.h>

/* A look at the tree. */
struct scan {
	struct sampler *sampler;
	struct process *process; /* whose threads are looked at */
};

/* What the scheduler tells of a task. */
struct schedule {
	uint64_t cpu;	 /* ns */
	uint64_t slices; /* times it was given the processor */
};

/* Read /proc/PID/task/TID/schedstat; false when the task is gone. */
static bool read_schedule(pid_t pid, pid_t tid, struct schedule *schedule)
{
	uint64_t delay;
	char path[64], text[128];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/schedstat", pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	RETURN_IF(fd < 0, false);
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	RETURN_IF(length <= 0, false);
	text[length] = '\0';
	return sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &schedule->cpu, &delay,
		      &schedule->slices) == 3;
}

/* CPU time becomes samples: where in the program cannot be seen, so they carry its object only. */
static void take_cpu(struct sampler *sampler, struct task *task, uint64_t cpu)
{
	uint64_t used = cpu > task->told_cpu ? cpu - task->told_cpu : 0;

	task->told_cpu = cpu;
	if (used == 0 || sampler->clock.paused)
		return;
	state_add_cpu(sampler, task, used);
	estimate_program(sampler, task, sampler->clock.now);
}

/* Data collectors may know where a task executes though its registers cannot be had. */
static void ask_collectors(struct sampler *sampler, struct task *task)
{
	struct resolved_stack resolved;

	if (sampler->clock.paused ||
	    !stack_resolve_unseen(&sampler->stack_resolver, task,
				  transactions_of(sampler->transactions, task->tid), &resolved))
		return;
	stack_resolve_apply(&sampler->stack_resolver, task, &resolved, sampler->clock.now);
	task->stack = resolved.stack;
}

/* Look at one task. */
static void look_at_task(struct sampler *sampler, struct task *task)
{
	pid_t pid = task->process->pid;
	struct schedule schedule;
	char state = present_state(pid, task->tid);

	if (state == 0 || state == 'Z' || state == 'X' ||
	    !read_schedule(pid, task->tid, &schedule)) {
		observe_end(sampler, task);
		return;
	}
	if (state == 'R')
		ask_collectors(sampler, task);
	take_cpu(sampler, task, schedule.cpu);
	if (schedule.slices != task->slices) {
		/* It ran in between, so another wait has begun. */
		state_set(sampler, task, TASK_RUNNING);
		task->switches += schedule.slices - task->slices;
		sampler->tasks.switches += schedule.slices - task->slices;
		task->slices = schedule.slices;
	}
	state_set(sampler, task, state == 'R' ? TASK_RUNNING : TASK_BLOCKED);
}

/* Whether a thread has ended: the first one of a process stays to be seen until the others end. */
static bool has_ended(pid_t pid, pid_t tid)
{
	char state = present_state(pid, tid);

	return state == 0 || state == 'Z' || state == 'X';
}

/* present_each for the threads of a process. */
static void see_thread(void *argument, pid_t pid, pid_t tid)
{
	struct scan *scan = argument;
	struct task *task = tasks_task(&scan->sampler->tasks, tid);
	struct schedule schedule;

	if (task || has_ended(pid, tid))
		return;
	task = attach_task(scan->sampler, scan->process, tid);
	/* What it used before it was attached to does not count. */
	if (!scan->sampler->follow && scan->sampler->ticks == 0 &&
	    read_schedule(pid, tid, &schedule)) {
		task->told_cpu = schedule.cpu;
		task->slices = schedule.slices;
	}
}

/* Whether the process executes another program than at the last look. */
static bool has_execed(const struct process *process)
{
	char path[4096];

	return present_program(process->pid, path, sizeof(path)) &&
	       strcmp(path, process->path) != 0;
}

/* Read the mappings anew, ever less often: objects may be loaded at any time. */
static void refresh_maps(struct sampler *sampler, struct process *process)
{
	uint64_t now = sampler->clock.now;

	if (now < process->maps_at)
		return;
	process->maps_at = now + (now - process->start) / 2 + PROC_TICK_MS * NSEC_PER_MSEC;
	space_clear(&process->space);
	space_read_proc(&process->space, &sampler->objects,
			tasks_living(&sampler->tasks, process), NULL);
}

/* present_each for the children of a process. */
static void see_child(void *argument, pid_t pid, pid_t parent)
{
	const struct scan *above = argument;
	struct sampler *sampler = above->sampler;
	struct scan scan = { .sampler = sampler };

	if (tasks_process(&sampler->tasks, pid) || present_state(pid, pid) == 0)
		return;
	scan.process = attach_process(sampler, pid, parent);
	present_threads(pid, see_thread, &scan);
	if (scan.process->live == 0)
		tasks_end_process(&sampler->tasks, scan.process, sampler->clock.now);
	else
		present_children(pid, see_child, &scan);
}

/* Look at one process: its program, its threads, its children. */
static void look_at_process(struct sampler *sampler, struct process *process)
{
	struct scan scan = { sampler, process };

	if (has_execed(process)) {
		char name[16];

		present_name(process->pid, process->pid, name, sizeof(name));
		tasks_exec(process, name);
		collect_forget(sampler->collect, process);
		attach_image(sampler, process);
	}
	refresh_maps(sampler, process);
	present_threads(process->pid, see_thread, &scan);
	present_children(process->pid, see_child, &scan);
}

/* present_each for the threads of the root: keep the first that lives. */
static void find_living(void *argument, pid_t pid, pid_t tid)
{
	pid_t *living = argument;

	if (!*living && !has_ended(pid, tid))
		*living = tid;
}

/* Before its first exec the root is a copy of vigil and no part of the step. */
static bool step_has_begun(struct sampler *sampler)
{
	struct task *root = tasks_task(&sampler->tasks, sampler->root);
	char own[4096], path[4096];
	pid_t living = 0;

	if (!root || root->state != TASK_UNSEEN)
		return true;
	present_threads(sampler->root, find_living, &living);
	if (!living) {
		observe_end(sampler, root);
		return false;
	}
	if (!present_program(living, path, sizeof(path)) ||
	    !present_program(getpid(), own, sizeof(own)) || strcmp(path, own) == 0)
		return false;
	root->start = root->process->start = sampler->clock.now;
	present_name(sampler->root, living, root->name, sizeof(root->name));
	state_set(sampler, root, TASK_RUNNING);
	return true;
}

void proc_scan(struct sampler *sampler, uint64_t time)
{
	struct process *next_process;
	struct task *next;

	observe_transactions(sampler, time);
	step_clock_advance(&sampler->clock, time);
	if (!step_has_begun(sampler))
		return;
	for (struct process *process = sampler->tasks.processes; process; process = next_process) {
		next_process = process->next;
		if (process->live)
			look_at_process(sampler, process);
	}
	for (struct task *task = sampler->tasks.all; task; task = next) {
		next = task->next;
		if (task->state != TASK_ENDED)
			look_at_task(sampler, task);
	}
	collect_look(sampler->collect, &sampler->tasks);
	waits_look(sampler, PROC_TICK_MS * NSEC_PER_MSEC / 2);
	sampler->ticks++;
}
