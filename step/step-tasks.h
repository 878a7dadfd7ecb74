/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes and tasks (threads) of a step: their ids, and what is recorded of
 * them whichever part saw it.
 *
 * Ids count from 1 and are never reused, whatever the kernel does with its
 * numbers. Whichever part sees a process or task first gives it its id: the
 * observer (the sampler), which sees each begin and end, or another part (events),
 * which hears of some only. If the observer sees one that others have seen
 * already, it is the same one and from then on the observer's: only the observer
 * then says when it began and ended, what it executes and when a row is due.
 *
 * All structs are owned by struct step_tasks. One that the observer is finished
 * with is freed, unless a part has announced that it asks for the past
 * (step_tasks_keep).
 */
#ifndef VIGIL_STEP_STEP_TASKS_H
#define VIGIL_STEP_STEP_TASKS_H

#include "engine/engine.h"
#include "records/record-types.h"
#include "step/numbers.h"

#include <sys/types.h>

struct step_process {
	struct step_process *next, *previous; /* list of all */
	uint64_t id, parent;		      /* parent: PROCESS id, 0 not in the step */
	pid_t pid;
	uint64_t start, end; /* ns; end 0: it lives */
	char *program, *path;
	uint64_t execs;
	bool observed;	     /* the observer has seen it */
	bool changed;	     /* a row is due */
	uint64_t task_count; /* number of struct step_task that refer to it */
};

struct step_task {
	struct step_task *next, *previous; /* list of all */
	struct step_process *process;
	uint64_t id;
	pid_t tid;
	uint64_t start, end; /* ns; end 0: it lives */
	uint64_t cpu;	     /* ns of CPU time in its last row */
	bool observed;	     /* the observer has seen it */
	bool changed;	     /* a row is due */
	const void *row_maker;  /* tag of the part that writes its rows while it is not observed;
			      * private to that part */
};

struct step_tasks {
	struct step_process *processes;
	struct step_task *all;
	struct numbers by_pid, by_tid;	    /* the latter by process and thread */
	uint64_t process_count, task_count; /* ids assigned so far */
	bool keep;
};

void step_tasks_init(struct step_tasks *tasks);
void step_tasks_release(struct step_tasks *tasks);
/* Removes everything and assigns ids from 1 again; only while no id has been used. */
void step_tasks_reset(struct step_tasks *tasks);
/* Keeps processes and tasks that have ended: none is freed before the release. */
void step_tasks_keep(struct step_tasks *tasks);

/*
 * For the observer: records a process that has a pid from a time on, or is first
 * seen then; parent may be NULL. It starts with its parent's program.
 */
struct step_process *step_tasks_observe_process(struct step_tasks *tasks, pid_t pid,
						const struct step_process *parent, uint64_t time);
struct step_task *step_tasks_observe_task(struct step_tasks *tasks, struct step_process *process,
					  pid_t tid, uint64_t time);
/* For the observer: records that the task has another number of its process from a time on. */
void step_tasks_renumber(struct step_tasks *tasks, struct step_task *task, pid_t tid,
			 uint64_t time);
/*
 * For the observer: drops a task or process that has ended and whose rows were all
 * made. A process must have no tasks left.
 */
void step_tasks_drop(struct step_tasks *tasks, struct step_task *task);
void step_tasks_drop_process(struct step_tasks *tasks, struct step_process *process);

/*
 * For all other parts: return the holder of a number during an observation from
 * one time to another (UINT64_MAX: until now). If none is recorded, the first adds
 * one that began at from, the second returns NULL. The observer must have recorded
 * what it knows up to then.
 */
struct step_task *step_tasks_find_or_add(struct step_tasks *tasks, pid_t pid, pid_t tid, uint64_t from,
				  uint64_t until);
struct step_process *step_tasks_find_process(const struct step_tasks *tasks, pid_t pid,
					     uint64_t from, uint64_t until);

/* Records the program that the process executes now: name and path. */
void step_process_set_program(struct step_process *process, const char *program, const char *path);
/* Appends the row of a process, which is then no longer due. */
void step_process_row(struct step_process *process, struct engine *engine, struct recordset *set);
/* Does the same for a task: the caller fills in its name and its usage, this function the rest. */
void step_task_row(struct step_task *task, struct record_task *row, struct recordset *set);

#endif
