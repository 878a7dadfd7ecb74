/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes and tasks (threads) of the step: what they are, what they do
 * now, and what they used. Their ids and numbers, and what else is known of them
 * whoever looks, is the step's (step/step-tasks.h), whose observer the sampler
 * is: each stands on its like there. What a part of the sampler keeps of each is
 * a member of a type that task-NAME.h declares, and that part alone
 * touches it.
 *
 * A process or task that has ended stays until tasks_sweep.
 */
#ifndef VIGIL_SAMPLER_TASKS_H
#define VIGIL_SAMPLER_TASKS_H

#include "common/idmap.h"
#include "engine/engine.h"
#include "program/objects/space.h"
#include "sampler/resource-usage.h"
#include "sampler/task-duty.h"
#include "sampler/task-looks.h"
#include "sampler/task-prompt.h"
#include "sampler/task-samples.h"
#include "sampler/task-short.h"
#include "sampler/task-waits.h"
#include "step/step-tasks.h"

#include <sys/types.h>

enum task_state {
	TASK_UNSEEN,	/* not begun: its first exec is still to come */
	TASK_PREEMPTED, /* runnable, not running */
	TASK_BLOCKED,
	TASK_RUNNING,
	TASK_ENDED,
};

struct residue;

struct process {
	struct process *next, *previous;
	struct step_process *base; /* what the step knows of it */
	bool first;		   /* it is the step's first one */
	bool awaiting_image; /* it has exec'ed, and the next mapping is its program */
	bool no_memory;	     /* its memory cannot be read */
	uint64_t live;	     /* tasks alive */
	uint64_t task_count; /* struct task that lead here, the ended ones too */
	struct space *space;
	struct object *image; /* the program's own object; NULL unknown */
	struct residue *residue;     /* where CPU time of short tasks is summed up */
	struct process_usage usage;
	bool subject;	      /* it executes the step's first program */
	struct choice *choice; /* of data collectors; NULL: to be made */
	uint64_t maps_at;     /* PROC: when the mappings are to be read again */
};

struct task {
	struct task *next, *previous;
	struct process *process;
	struct step_task *base; /* what the step knows of it */
	char name[16];
	enum task_state state;
	bool present;	/* it was there when it was attached to */
	uint64_t seen_gone; /* ns: when /proc was first found to have it no more; 0: it has */
	bool kept;	/* it has ended, and a residue (residue.h) tells its last samples by it */
	uint64_t since; /* active clock when the state began or was last settled */
	uint64_t cpu, wait, delay, switches;
	uint64_t cpu_solo; /* of cpu, with no other task executing and no wait for a file */
	struct { /* of this snapshot */
		uint64_t cpu, cpu_solo, charged, charged_solo;
	} activity;
	uint64_t run_alone; /* the clock when it was given the processor */

	uint32_t stack; /* where it was seen executing last; 0 unknown */

	/* What the parts of the sampler keep of it, each its own. */
	struct task_waits waits;
	struct task_looks looks;
	struct task_samples samples;
	struct task_short short_task;
	struct task_prompt prompt;
	struct task_duty duty;
	struct task_proc {
		uint64_t slices; /* times it was given the processor, as last seen */
		uint64_t cpu;	 /* ns of CPU time, as last seen */
		uint64_t used;	 /* ns of it since the scan before */
		bool gone;	 /* it is found to have ended */
	} proc;
};

struct tasks {
	struct step_tasks *base;   /* borrowed */
	struct process *processes; /* newest first */
	struct task *all;	   /* newest first */
	struct idmap by_pid, by_tid;
	uint64_t process_count, task_count; /* those that were added */
	uint64_t alive;
	uint64_t switches;
	uint64_t cpu; /* ns on a processor, all tasks */
};

/* base: those of the step, borrowed. */
void tasks_init(struct tasks *tasks, struct step_tasks *base);
void tasks_release(struct tasks *tasks);

/* The live process or task of a number; NULL when there is none. */
struct process *tasks_process(const struct tasks *tasks, pid_t pid);
struct task *tasks_task(const struct tasks *tasks, pid_t tid);
/* A thread of the process that lives: its first one, or another when that has ended. */
pid_t tasks_living(const struct tasks *tasks, const struct process *process);
/* A new process; parent may be NULL. It takes over the parent's program and address space. */
struct process *tasks_add_process(struct tasks *tasks, pid_t pid, struct process *parent,
				  uint64_t time);
/* A new task, UNSEEN. */
struct task *tasks_add_task(struct tasks *tasks, struct process *process, pid_t tid,
			    const char *name, uint64_t time);
/* A process has ended of which no task was ever seen. */
void tasks_end_process(struct tasks *tasks, struct process *process, uint64_t time);
/* A task has ended (its state is ENDED already), and with the last one its process. */
void tasks_end_task(struct tasks *tasks, struct task *task, uint64_t time);
/* The task goes on under another number: a thread that was not the first has exec'ed at time. */
void tasks_renumber(struct tasks *tasks, struct task *task, pid_t tid, uint64_t time);
/* The process has begun to execute another program. */
void tasks_exec(struct process *process, const char *name);
/* The path of its program has become known. */
void tasks_set_image(struct process *process, const char *path);

/* Rows of what has changed. */
void tasks_process_rows(struct tasks *tasks, struct engine *engine, struct recordset *set);
void tasks_rows(struct tasks *tasks, struct engine *engine, struct recordset *set);
/* Rows of what each task did in the snapshot that ends at time; begins the next. */
void tasks_activity_rows(struct tasks *tasks, uint64_t time, struct recordset *set);
/* Free ended tasks and processes; call after their rows were made. */
void tasks_sweep(struct tasks *tasks);

#endif
