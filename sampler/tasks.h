/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes and tasks (threads) of the step. Ids count from 1 and are
 * never used again, whatever the kernel does with its numbers; a process or
 * task that has ended stays until tasks_sweep.
 */
#ifndef VIGIL_SAMPLER_TASKS_H
#define VIGIL_SAMPLER_TASKS_H

#include "common/idmap.h"
#include "engine/engine.h"
#include "program/objects/space.h"
#include "sampler/prompt.h"
#include "sampler/step-clock.h"

#include <sys/types.h>

enum task_state {
	TASK_UNSEEN,	/* not begun: its first exec is still to come */
	TASK_PREEMPTED, /* runnable, not running */
	TASK_BLOCKED,
	TASK_RUNNING,
	TASK_ENDED,
};

/* The place of a wait. */
struct wait_site {
	uint32_t stack;
	uint32_t reason; /* enum wait_reason */
	uint64_t file;
	uint64_t syscall; /* number + 1 */
};

/* Waits at one place in this snapshot. */
struct wait_tally {
	struct wait_site site;
	uint64_t transaction;
	uint64_t count, total, charged, solo;
};

/* Values of /proc that only grow while a process lives. */
struct resource_usage {
	uint64_t minor_faults, major_faults;
	uint64_t read_bytes, write_bytes, read_calls, write_calls;
};

struct residue;

struct process {
	struct process *next, *previous;
	uint64_t id, parent;
	pid_t pid;
	uint64_t start, end;
	char *program, *path;
	uint64_t execs;
	bool awaiting_image; /* it has exec'ed, and the next mapping is its program */
	bool changed;	     /* a row is due */
	bool no_memory;	     /* its memory cannot be read */
	uint64_t live;	     /* tasks alive */
	uint64_t task_count; /* struct task that lead here, the ended ones too */
	struct space *space;
	struct object *image; /* the program's own object; NULL unknown */
	struct residue *residue;     /* where CPU time of short tasks is summed up */
	struct resource_usage usage; /* as last seen */
	uint64_t resident;    /* pages, as last seen */
	bool subject;	      /* it executes the step's first program */
	struct choice *choice; /* of data collectors; NULL: to be made */
	uint64_t maps_at;     /* PROC: when the mappings are to be read again */
};

struct task {
	struct task *next, *previous;
	struct process *process;
	uint64_t id;
	pid_t tid;
	uint64_t start, end;
	char name[16];
	enum task_state state;
	bool changed;	/* a row is due */
	bool present;	/* it was there when it was attached to */
	bool seen_gone; /* /proc no longer has it */
	uint64_t since; /* active clock when the state began or was last settled */
	uint64_t cpu, wait, delay, switches;
	struct { /* of this snapshot */
		uint64_t cpu, cpu_solo, charged, charged_solo;
	} activity;
	uint64_t run_alone; /* the clock when it was given the processor */

	/* The wait going on (BLOCKED, PREEMPTED). */
	struct wait_going_on {
		enum wait_class class;
		uint64_t share, alone, idle; /* clocks at its start or last cut */
		uint64_t began;		     /* active clock at its start */
		uint64_t began_at;	     /* monotonic */
		unsigned looks;		     /* ticks in which it was looked at in vain */
		bool known;		     /* site is its place */
		bool unanswered;	     /* but data collectors are to be asked again */
		unsigned asked;		     /* so often they were asked in vain */
		bool on_file;		     /* counted among the file waits */
		struct wait_site site;
		uint64_t charged, solo; /* of an earlier class, since the last cut */
	} going;
	struct task *next_unknown,
		**unknown_link; /* list of those whose waits have no place; NULL link: not on it */
	struct wait_site recent; /* the place of its last known wait */
	uint64_t recent_at;	/* active clock when it was found; 0 never */
	struct {
		struct wait_site site;
		uint64_t from, until; /* monotonic; until 0: none */
	} met;			 /* the wait that was looked at last, until it is known which it was */
	struct wait_site short_site; /* the place of the last short wait that was looked at */
	bool short_known;	 /* there is one */
	unsigned futile;	/* looks since then that found it running */
	struct wait_tally *sums; /* by place, of this snapshot */
	size_t sum_count, sum_alloc;
	struct wait_tally
		deferred;	   /* the last wait, while it may yet turn out to be a page fault */
	struct wait_tally pending; /* short waits whose place is not known yet */
	uint64_t looked_closely; /* of them, at the last close look */

	/* Samples. */
	uint64_t samples;  /* kept, each standing for one period */
	int64_t credit;	   /* ns sampled that did not make a whole period yet */
	int64_t phase;	   /* ns of credit it began with (short-tasks.h) */
	int64_t steered;   /* ns of them that its residue gave */
	bool finer;	   /* it has events of the finer period too */
	unsigned started;  /* tasks it started since the last look of short-tasks.c */
	uint64_t lost;	   /* ns whose samples the kernel dropped */
	uint32_t stack;	   /* of its last sample; 0 none */
	struct task_prompt prompt;
	uint64_t slices;   /* PROC: times it was given the processor, as last seen */
	uint64_t told_cpu; /* PROC: ns of CPU time, as last seen */
};

struct tasks {
	struct process *processes; /* newest first */
	struct task *all;	   /* newest first */
	struct idmap by_pid, by_tid;
	uint64_t process_count, task_count; /* ids given out */
	uint64_t alive;
	uint64_t switches;
	uint64_t cpu; /* ns on a processor, all tasks */
};

void tasks_init(struct tasks *tasks);
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
/* The task goes on under another number: a thread that was not the first has exec'ed. */
void tasks_renumber(struct tasks *tasks, struct task *task, pid_t tid);
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
