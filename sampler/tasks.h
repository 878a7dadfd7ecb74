/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes and tasks (threads) of the step as the sampler observes them:
 * their state now and the time they have used. Each is based on its counterpart in
 * step/step-tasks.h, which assigns ids and numbers and holds what does not depend
 * on the observer. What a part of the sampler keeps of each task is a member of a
 * type that task-NAME.h declares; only that part accesses it.
 *
 * A process or task that has ended stays until tasks_sweep.
 */
#ifndef VIGIL_SAMPLER_TASKS_H
#define VIGIL_SAMPLER_TASKS_H

#include "common/idmap.h"
#include "engine/engine.h"
#include "program/objects/space.h"
#include "sampler/resource-usage.h"
#include "sampler/task-anchors.h"
#include "sampler/task-duty.h"
#include "sampler/task-kernel.h"
#include "sampler/task-looks.h"
#include "sampler/task-prompt.h"
#include "sampler/task-samples.h"
#include "sampler/task-short.h"
#include "sampler/task-waits.h"
#include "step/step-tasks.h"

#include <sys/types.h>

enum task_state {
	TASK_UNSEEN,	/* not begun: its first exec has not happened yet */
	TASK_PREEMPTED, /* runnable, not running */
	TASK_BLOCKED,
	TASK_RUNNING,
	TASK_ENDED,
};

struct residue;

struct process {
	struct process *next, *previous;
	struct step_process *base; /* its counterpart in the step */
	bool first;		   /* it is the first process of the step */
	bool awaiting_image; /* it has called exec, and the next mapping is its program */
	bool no_memory;	     /* its memory cannot be read */
	uint64_t live;	     /* number of live tasks */
	uint64_t task_count; /* number of struct task that point here, including ended ones */
	struct space *space;
	struct object *image; /* the program's object; NULL: unknown */
	struct residue *residue;     /* where the CPU time of its short tasks is summed up */
	struct process_usage usage;
	bool subject;	      /* it executes the first program of the step */
	struct choice *choice; /* choice of data collectors; NULL: not made yet */
	uint64_t maps_at;     /* PROC: time at which the mappings are read again */
};

struct task {
	struct task *next, *previous;
	struct process *process;
	struct step_task *base; /* its counterpart in the step */
	char name[16];
	enum task_state state;
	bool present;	/* it existed when the sampler attached to it */
	bool assumed;	/* it is PREEMPTED because it can execute; no record has shown whether it
			 * has a processor */
	uint64_t seen_gone; /* ns: when /proc was first found not to have it; 0: it has */
	bool kept;	/* it has ended, and a residue (residue.h) reports its last samples as
			 * this task's */
	uint64_t since; /* active clock when the state began or was last accounted for */
	uint64_t cpu, wait, delay, switches;
	uint64_t cpu_solo; /* part of cpu during which no other task executed or waited for a
			    * file */
	struct { /* sums of this snapshot */
		uint64_t cpu, cpu_solo, charged, charged_solo;
	} activity;
	uint64_t run_alone; /* the clock run_alone when the task was given the processor */

	uint32_t stack; /* where it was last seen executing; 0: unknown */
	uint64_t stack_transaction; /* id of the one in force there */
	bool stack_is_old; /* but a later sample was not looked at */
	bool stack_is_past; /* but it has waited for long since then */
	bool stack_unsaid; /* and data collectors, which were asked, did not say what it was */

	/* State of the parts of the sampler; each accesses only its member. */
	struct task_waits waits;
	struct task_looks looks;
	struct task_kernel kernel;
	struct task_anchors anchors;
	struct task_samples samples;
	struct task_gap gap;
	struct task_short short_task;
	struct task_prompt prompt;
	struct task_duty duty;
	struct task_proc {
		uint64_t slices; /* times that it was given the processor, as last read */
		uint64_t cpu;	 /* ns of CPU time, as last read */
		uint64_t used;	 /* ns of CPU time between the last two scans */
		bool gone;	 /* it was found to have ended */
	} proc;
};

struct tasks {
	struct step_tasks *base;   /* borrowed */
	struct process *processes; /* newest first */
	struct task *all;	   /* newest first */
	struct idmap by_pid, by_tid;
	uint64_t process_count, task_count; /* number ever added */
	uint64_t alive;
	uint64_t switches;
	uint64_t cpu; /* ns of CPU time of all tasks */
};

/* base: the tasks of the step, borrowed. */
void tasks_init(struct tasks *tasks, struct step_tasks *base);
void tasks_release(struct tasks *tasks);

/* Returns the live process or task with this pid or tid; NULL: none. */
struct process *tasks_process(const struct tasks *tasks, pid_t pid);
struct task *tasks_task(const struct tasks *tasks, pid_t tid);
/* Returns the tid of a live thread of the process: its first one, or another if that has ended. */
pid_t tasks_living(const struct tasks *tasks, const struct process *process);
/* Adds a process. It shares the parent's address space and program; parent NULL: unknown. */
struct process *tasks_add_process(struct tasks *tasks, pid_t pid, struct process *parent,
				  uint64_t time);
/* Adds a task in state UNSEEN. */
struct task *tasks_add_task(struct tasks *tasks, struct process *process, pid_t tid,
			    const char *name, uint64_t time);
/* Ends a process of which no task was ever seen. */
void tasks_end_process(struct tasks *tasks, struct process *process, uint64_t time);
/*
 * Ends a task, whose state is ENDED already; ends its process too if this was the
 * last live task.
 */
void tasks_end_task(struct tasks *tasks, struct task *task, uint64_t time);
/* Gives the task another tid: a thread that was not the first one called exec at time. */
void tasks_renumber(struct tasks *tasks, struct task *task, pid_t tid, uint64_t time);
/* Records that the process has begun to execute another program. */
void tasks_exec(struct process *process, const char *name);
/* Records the path of the process's program. */
void tasks_set_image(struct process *process, const char *path);

/* Adds rows of the processes or tasks that have changed. */
void tasks_process_rows(struct tasks *tasks, struct engine *engine, struct recordset *set);
void tasks_rows(struct tasks *tasks, struct engine *engine, struct recordset *set);
/* Adds rows of what each task did in the snapshot that ends at time, and begins the next one. */
void tasks_activity_rows(struct tasks *tasks, uint64_t time, struct recordset *set);
/* Frees ended tasks and processes; call after their rows were made. */
void tasks_sweep(struct tasks *tasks);

#endif
