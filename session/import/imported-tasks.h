/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes and tasks of a recording: what they are, what is mapped in them, and, where the
 * recording has switches, what they did: how long each executed and waited, exactly.
 *
 * A task that the recording only names (perf writes down all that were there when it began) has no
 * row until it does something. Times are those of the recording and only grow.
 *
 * A wait lies between the record of the task that leaves the processor and that of its return. Its
 * place is told before it by imported_tasks_leaving, else it is that of the task's last sample.
 */
#ifndef VIGIL_SESSION_IMPORT_IMPORTED_TASKS_H
#define VIGIL_SESSION_IMPORT_IMPORTED_TASKS_H

#include "common/idmap.h"
#include "program/objects/space.h"
#include "sampler/step-clock.h"
#include "sampler/wait-tally.h"

struct imported_file;

struct imported_process {
	uint64_t id; /* 0: it has done nothing yet */
	struct imported_process *parent;
	uint32_t pid;
	uint64_t start, end, execs, samples;
	char *program, *path;
	bool awaiting_image; /* the next mapping of a file is its program */
	bool changed;
	struct space *space;
};

enum imported_state { IMPORTED_UNSEEN, IMPORTED_RUNNING, IMPORTED_WAITING, IMPORTED_ENDED };

struct imported_task {
	uint64_t id; /* 0: it has done nothing yet */
	struct imported_process *process;
	uint32_t tid, processor; /* processor: UINT32_MAX not known */
	size_t number;		 /* in tasks */
	uint64_t start, end;
	char *name;
	bool changed;
	uint32_t stack; /* of its last sample; 0 none */
	enum imported_state state;
	uint64_t since; /* in this state, or cut last */
	uint64_t cpu, wait, delay, switches;
	/* The state going on: clocks at its beginning or last cut. */
	enum wait_class class;
	struct wait_site site, leaving;
	bool leaving_known;
	uint64_t share, alone, run_alone;
	struct wait_tallies tallies;
	uint64_t cut_cpu, cut_cpu_solo, cut_charged, cut_charged_solo; /* since the last cut */
};

/* The number of a task in records of one that has ended already, and does what is left to do. */
#define IMPORTED_ENDED_TID UINT32_MAX

struct imported_tasks {
	bool switches; /* the recording has them */
	struct imported_process **processes;
	struct imported_task **tasks; /* all there ever were */
	size_t process_count, process_alloc, task_count, task_alloc;
	struct idmap by_pid, by_tid; /* to the number of the newest */
	struct idmap on_processor;   /* to that of the task that was seen on it last */
	uint64_t process_ids, task_ids;
	uint64_t alive, switch_count, cpu; /* of those that have done something; cpu: ns */
	struct step_clock clock;
};

void imported_tasks_init(struct imported_tasks *tasks, bool switches, uint64_t start);
void imported_tasks_release(struct imported_tasks *tasks);
/* Let time pass. */
void imported_tasks_advance(struct imported_tasks *tasks, uint64_t time);

/* The process or task of a number, made when it is new. */
struct imported_process *imported_tasks_process(struct imported_tasks *tasks, uint32_t pid);
struct imported_task *imported_tasks_task(struct imported_tasks *tasks, uint32_t pid, uint32_t tid);
/* The newest task of a number; NULL: there is none. */
struct imported_task *imported_tasks_find(struct imported_tasks *tasks, uint32_t tid);
/* The task does something at a time: it has rows from now on. */
void imported_tasks_seen(struct imported_tasks *tasks, struct imported_task *task, uint64_t time);
/* A task has another name; exec: its process executes another program. */
void imported_tasks_name(struct imported_tasks *tasks, uint32_t pid, uint32_t tid, const char *name,
			 bool exec, uint64_t time);
/* The same of a process, as far as that is told by names only. */
void imported_tasks_program(struct imported_process *process, const char *name);
/* What the recording is of: the first program that was executed in it, or that with most samples. */
const char *imported_tasks_busiest(const struct imported_tasks *tasks);
/* A file was mapped: it is the program, if that is awaited. */
void imported_tasks_image(struct imported_process *process, const char *path);
void imported_tasks_fork(struct imported_tasks *tasks, uint32_t parent_pid, uint32_t pid,
			 uint32_t tid, uint64_t time);
void imported_tasks_exit(struct imported_tasks *tasks, uint32_t pid, uint32_t tid, uint64_t time);
/*
 * The task of a sample: the one of its number, or, where that has ended, the last that its
 * processor was seen with (UINT32_MAX: not known), or else one that stands for all of these.
 */
struct imported_task *imported_tasks_sampled(struct imported_tasks *tasks, uint32_t pid,
					     uint32_t tid, uint32_t processor);
/* A sample shows that the task executes. */
void imported_tasks_executes(struct imported_tasks *tasks, struct imported_task *task);
/* Should it leave the processor next, it is at this place. */
void imported_tasks_leaving(struct imported_task *task, const struct wait_site *site);
/* A processor (UINT32_MAX: not known) is given to a task, or to none (NULL): whoever had it has left
   it, also if that was not recorded. */
void imported_tasks_in(struct imported_tasks *tasks, struct imported_task *task,
		       uint32_t processor);
/* preempted: it could have gone on. */
void imported_tasks_out(struct imported_tasks *tasks, struct imported_task *task, bool preempted);

/* Rows of what has changed, and of what was done since the last cut. */
void imported_tasks_rows(struct imported_tasks *tasks, struct imported_file *file, uint64_t time,
			 bool last);

#endif
