/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes and tasks of a recording: their attributes, their mappings, and,
 * if the recording has switches, the exact times that each executed and waited.
 *
 * A task that the recording only names (perf records all that exist when it
 * begins) has no row until it does something. Times are those of the recording and
 * never decrease.
 *
 * A wait extends from the record of the task leaving the processor to that of its
 * return. Its place is set beforehand by imported_tasks_set_wait_site, else it is that
 * of the task's last sample.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORTED_TASKS_H
#define VIGIL_SESSION_IMPORT_IMPORTED_TASKS_H

#include "common/idmap.h"
#include "program/objects/space.h"
#include "sampler/step-clock.h"
#include "sampler/wait-tally.h"

struct imported_file;

struct imported_process {
	uint64_t id; /* 0: no activity yet */
	struct imported_process *parent;
	uint32_t pid;
	uint64_t start, end, execs, samples;
	char *program, *path;
	bool awaiting_image; /* the next mapped file is its program */
	bool changed;
	struct space *space;
};

enum imported_state { IMPORTED_UNSEEN, IMPORTED_RUNNING, IMPORTED_WAITING, IMPORTED_ENDED };

struct imported_task {
	uint64_t id; /* 0: no activity yet */
	struct imported_process *process;
	uint32_t tid, processor; /* processor: UINT32_MAX: unknown */
	size_t number;		 /* index in tasks */
	uint64_t start, end;
	char *name;
	bool changed;
	uint32_t stack; /* of its last sample; 0: none */
	enum imported_state state;
	uint64_t since; /* start of this state, or last snapshot */
	uint64_t cpu, wait, delay, switches;
	/* The current state: clocks at its start or at the last snapshot. */
	enum wait_class class;
	struct wait_site site, leaving;
	bool leaving_known;
	uint64_t share, alone, run_alone;
	struct wait_tallies tallies;
	uint64_t snapshot_cpu, snapshot_cpu_solo, snapshot_charged, snapshot_charged_solo; /* since the last snapshot */
};

/* The number in records of a task that has already ended, and runs its last code. */
#define IMPORTED_ENDED_TID UINT32_MAX

struct imported_tasks {
	bool switches; /* the recording has them */
	struct imported_process **processes;
	struct imported_task **tasks; /* all tasks of the recording */
	size_t process_count, process_alloc, task_count, task_alloc;
	struct idmap by_pid, by_tid; /* to the index of the newest */
	struct idmap on_processor;   /* to the index of the task last seen on it */
	uint64_t process_ids, task_ids;
	uint64_t alive, switch_count, cpu; /* of those with any activity; cpu: ns */
	struct step_clock clock;
};

void imported_tasks_init(struct imported_tasks *tasks, bool switches, uint64_t start);
void imported_tasks_release(struct imported_tasks *tasks);
/* Advances the clock. */
void imported_tasks_advance(struct imported_tasks *tasks, uint64_t time);

/* The process or task of a number, created if new. */
struct imported_process *imported_tasks_process(struct imported_tasks *tasks, uint32_t pid);
struct imported_task *imported_tasks_task(struct imported_tasks *tasks, uint32_t pid, uint32_t tid);
/* Returns the newest task of a number; NULL: none. */
struct imported_task *imported_tasks_find(struct imported_tasks *tasks, uint32_t tid);
/* Notes that the task is active at a time: it has rows from now on. */
void imported_tasks_seen(struct imported_tasks *tasks, struct imported_task *task, uint64_t time);
/* Renames a task; exec: its process executes another program. */
void imported_tasks_name(struct imported_tasks *tasks, uint32_t pid, uint32_t tid, const char *name,
			 bool exec, uint64_t time);
/* Renames a process, in input where only names identify programs. */
void imported_tasks_program(struct imported_process *process, const char *name);
/*
 * Returns the program that the recording is about: the first one executed in it,
 * or the one with most samples.
 */
const char *imported_tasks_main_program(const struct imported_tasks *tasks);
/* Notes that a file was mapped: it becomes the program if one is expected. */
void imported_tasks_image(struct imported_process *process, const char *path);
void imported_tasks_fork(struct imported_tasks *tasks, uint32_t parent_pid, uint32_t pid,
			 uint32_t tid, uint64_t time);
void imported_tasks_exit(struct imported_tasks *tasks, uint32_t pid, uint32_t tid, uint64_t time);
/*
 * Returns the task of a sample: the task with its number, or, if that has ended,
 * the last one seen on its processor (UINT32_MAX: unknown), or else one that
 * stands for all of these.
 */
struct imported_task *imported_tasks_sampled(struct imported_tasks *tasks, uint32_t pid,
					     uint32_t tid, uint32_t processor);
/* Notes that the task executes, as shown by a sample. */
void imported_tasks_executes(struct imported_tasks *tasks, struct imported_task *task);
/* Sets the place of the wait if the task leaves the processor next. */
void imported_tasks_set_wait_site(struct imported_task *task, const struct wait_site *site);
/*
 * Gives a processor (UINT32_MAX: unknown) to a task, or to none (NULL): the
 * previous task has left it, even if that was not recorded.
 */
void imported_tasks_switch_in(struct imported_tasks *tasks, struct imported_task *task,
		       uint32_t processor);
/* Notes that the task leaves the processor. preempted: it was able to continue. */
void imported_tasks_switch_out(struct imported_tasks *tasks, struct imported_task *task, bool preempted);

/* Writes rows of what has changed, and of activity since the last snapshot. */
void imported_tasks_rows(struct imported_tasks *tasks, struct imported_file *file, uint64_t time,
			 bool last);

#endif
