/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes and tasks (threads) of a step: their ids, and what is known of them whoever looks.
 *
 * An id counts from 1 and is never used again, whatever the kernel does with its numbers. It is
 * given by whoever meets a process or task first: the observer, who sees each begin and end (the
 * sampler), or who only hears of some (events). What the observer meets that others have met
 * already is the same one, and is his from then on: he alone says when it began and ended, what it
 * executes and when a row is due.
 *
 * All structs are owned by struct step_tasks. What the observer is done with is freed, unless
 * somebody has said that he asks for the past (step_tasks_keep).
 */
#ifndef VIGIL_STEP_STEP_TASKS_H
#define VIGIL_STEP_STEP_TASKS_H

#include "engine/engine.h"
#include "records/record-types.h"
#include "step/numbers.h"

#include <sys/types.h>

struct step_process {
	struct step_process *next, *previous; /* of all */
	uint64_t id, parent;		      /* parent: PROCESS id, 0 not of the step */
	pid_t pid;
	uint64_t start, end; /* ns; end 0: it lives */
	char *program, *path;
	uint64_t execs;
	bool observed;	     /* the observer has it */
	bool changed;	     /* a row is due */
	uint64_t task_count; /* struct step_task that lead here */
};

struct step_task {
	struct step_task *next, *previous; /* of all */
	struct step_process *process;
	uint64_t id;
	pid_t tid;
	uint64_t start, end; /* ns; end 0: it lives */
	uint64_t cpu;	     /* ns of CPU time, as its last row has it */
	bool observed;	     /* the observer has it */
	bool changed;	     /* a row is due */
	const void *teller;  /* who makes its rows while nobody observes it: theirs to use */
};

struct step_tasks {
	struct step_process *processes;
	struct step_task *all;
	struct numbers by_pid, by_tid;	    /* the latter by process and thread */
	uint64_t process_count, task_count; /* ids given out */
	bool keep;
};

void step_tasks_init(struct step_tasks *tasks);
void step_tasks_release(struct step_tasks *tasks);
/* Forget all, and give ids from 1 again: nobody has used one yet. */
void step_tasks_reset(struct step_tasks *tasks);
/* Somebody asks for those that have ended, too: none is freed before all are. */
void step_tasks_keep(struct step_tasks *tasks);

/*
 * For the observer: a process has a pid from a time on, or is first seen then; parent may be NULL.
 * It has its parent's program.
 */
struct step_process *step_tasks_observe_process(struct step_tasks *tasks, pid_t pid,
						const struct step_process *parent, uint64_t time);
struct step_task *step_tasks_observe_task(struct step_tasks *tasks, struct step_process *process,
					  pid_t tid, uint64_t time);
/* For the observer: the task goes on under another number of its process, from a time on. */
void step_tasks_renumber(struct step_tasks *tasks, struct step_task *task, pid_t tid,
			 uint64_t time);
/* For the observer: he needs it no more; it has ended, and all rows were made. Of a process: nor
   any task of it. */
void step_tasks_drop(struct step_tasks *tasks, struct step_task *task);
void step_tasks_drop_process(struct step_tasks *tasks, struct step_process *process);

/*
 * For all others: who had a number while something was seen, from a time to another (UINT64_MAX:
 * it goes on). The first makes one, which began at the first of these times, when none is known;
 * the second gives NULL then. The observer has told what he knows by then.
 */
struct step_task *step_tasks_meet(struct step_tasks *tasks, pid_t pid, pid_t tid, uint64_t from,
				  uint64_t until);
struct step_process *step_tasks_find_process(const struct step_tasks *tasks, pid_t pid,
					     uint64_t from, uint64_t until);

/* The process executes another program: its name and path. */
void step_process_set_program(struct step_process *process, const char *program, const char *path);
/* Append the row of a process, which is due no more. */
void step_process_row(struct step_process *process, struct engine *engine, struct recordset *set);
/* The same of a task: the row has its name and what it used, and gets the rest. */
void step_task_row(struct step_task *task, struct record_task *row, struct recordset *set);

#endif
