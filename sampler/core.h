/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the sampler: what its parts share. Only the .c files of the
 * sampler's core include this.
 *
 * The way of the data: perf.c reads the kernel's records in order of time;
 * observe.c applies each to the tables (tasks.c), the step's state
 * (clock.c, states.c), the waits (waits.c) and the samples (samples.c);
 * producers.c makes rows of what came together at each snapshot. Where there
 * are no kernel records, proc.c applies what it sees in /proc instead.
 */
#ifndef VIGIL_SAMPLER_CORE_H
#define VIGIL_SAMPLER_CORE_H

#include "sampler/prompt.h"
#include "sampler/collect.h"
#include "sampler/short-tasks.h"
#include "sampler/task-stop.h"
#include "sampler/perf.h"
#include "sampler/named-places.h"
#include "sampler/residue.h"
#include "sampler/probe.h"
#include "sampler/sampler.h"
#include "sampler/stack-resolve.h"
#include "sampler/stacks.h"
#include "sampler/tasks.h"
#include "sampler/step-clock.h"
#include "sampler/transactions.h"

struct busy_file {
	uint64_t tasks; /* that wait for it now */
	uint64_t since; /* active clock */
	uint64_t alone; /* clock.file_alone then */
	uint64_t ended; /* active clock when the last wait for it ended */
};

enum object_use { OBJECT_UNUSED, OBJECT_USED, OBJECT_TOLD };

struct sampler {
	struct sampler_config config;
	enum privilege privilege;
	pid_t root;
	bool follow;	      /* the root is still to exec */
	struct error refusal; /* why a higher rung could not be had */

	struct perf perf;
	bool perf_open;
	struct object_list objects;
	struct stacks stacks;
	struct named_places *named_places; /* that data collectors named */
	struct collect *collect; /* data collectors; NULL: none */
	bool wake_each_sample;	 /* the kernel wakes vigil at each, as a data collector wants it */
	struct stack_resolver stack_resolver;
	struct prompt *prompt;	      /* where there are kernel records and data collectors */
	struct task_stops task_stops; /* for them */
	struct names *names;
	uint32_t places_told; /* frames up to here have rows if they are places */
	struct tasks tasks;
	struct step_clock clock;
	struct files *files;
	struct prober *prober;
	struct transactions *transactions;
	uint64_t next_change; /* time of the next transaction change */

	uint64_t period_initial, period;
	uint64_t taken, processed, thinned, lost;
	uint64_t whole, broken;
	uint64_t records_lost, probes;
	uint64_t lost_open; /* records lost that may have been samples, not yet found missing */
	struct recordset samples; /* since the last snapshot */
	struct recordset waits;	  /* of the snapshot being made */
	struct residues residues;
	struct short_tasks short_tasks;
	struct unwind_frame frames[UNWIND_MAX_FRAMES]; /* scratch */

	struct task *unknown;	/* waits without a place, newest first */
	bool unanswered;	/* there are waits that data collectors are to be asked about again */
	struct close_look {
		uint64_t next, pause; /* active clock, ns */
	} close_look;
	struct busy_file *busy; /* by FILE id */
	size_t busy_count, busy_alloc;

	struct resource_usage ended_usage; /* of processes that are gone */
	struct resource_usage told_usage;  /* sums as of the last STEP row */
	uint64_t resident;

	struct engine *engine; /* while it runs */
	int timer;	       /* timerfd of the tick */
	int root_fd;	       /* pidfd of the root while it lives, or -1 */
	unsigned hurry;	       /* ticks that stay short */
	unsigned tick_ms;
	uint64_t ticks;
	uint64_t blocked_since_tick;
	bool switches_lost; /* and the states of tasks may be wrong */
	bool verify; /* records were lost: see whether tasks are still there */
	bool thin_failed;

	struct record_step step; /* of the snapshot being made */
	unsigned char *used;	 /* enum object_use by object id - 1 */
	size_t used_count, used_alloc, frames_marked;
	struct engine *rows_engine; /* whose strings the rows refer to */
	uint64_t start;		    /* monotonic */
	uint64_t figures_at,
		figures_period; /* when the figures were told last, and the period then */
	bool noted, refused_noted, thin_noted;
};

/* observe.c */
/* Take all kernel records up to a monotonic time; returns the largest fill of a ring, percent. */
unsigned observe_drain(struct sampler *sampler, uint64_t time);
/* Apply one record; argument: struct sampler. */
void observe_record(void *argument, const struct observation *seen);
/* Take all there are. */
void observe_all(struct sampler *sampler);
/* Transactions changed up to time. */
void observe_transactions(struct sampler *sampler, uint64_t time);
/* A task has ended without a record. */
void observe_end(struct sampler *sampler, struct task *task);

/* states.c: what a task does changes; the step clock must have been advanced to now. */
void state_set(struct sampler *sampler, struct task *task, enum task_state state);
/* The task used the processor for so many ns. */
void state_add_cpu(struct sampler *sampler, struct task *task, uint64_t used);
/* Bring a task's sums up to now without a change. */
void state_settle(struct sampler *sampler, struct task *task);

/* waits.c */
void waits_open(struct sampler *sampler, struct task *task, bool preempted);
/* The wait is over (ended), or only cut at a snapshot. */
void waits_close(struct sampler *sampler, struct task *task, bool ended);
/* The task has ended, or the session: short waits without a place stay unknown. */
void waits_end(struct sampler *sampler, struct task *task);
/* Look at waits that last and have no place yet. age: ns from which a wait is looked at. */
void waits_look(struct sampler *sampler, uint64_t age);
/* The task was found waiting at a place, at some time between two. */
void waits_locate(struct sampler *sampler, struct task *task, const struct wait_site *site,
		  uint64_t from, uint64_t until);
/* Whether the task's last wait may have been a page fault that is over just now. */
bool waits_may_be_fault(const struct sampler *sampler, const struct task *task);
/* It was one, at a place. */
void waits_fault(struct sampler *sampler, struct task *task, uint32_t stack);
/* The task executes another program: what it waited for before tells nothing. */
void waits_exec(struct sampler *sampler, struct task *task);
/* Rows of the snapshot that ends at time into set; last: nothing may stay behind. */
void waits_rows(struct sampler *sampler, uint64_t time, bool last, struct recordset *set);

/* samples.c */
void samples_take(struct sampler *sampler, struct task *task, const struct observation *seen);
/* The user stack of a sample, without asking data collectors. */
uint32_t samples_stack(struct sampler *sampler, struct task *task, const struct observation *seen);
/* The flags of a stack that was put together. */
unsigned samples_flags(const struct sampler *sampler, uint32_t stack);
/* Add a sample row of a task. */
void samples_add(struct sampler *sampler, struct task *task, uint64_t time, uint32_t stack,
		 enum sample_kind kind, unsigned flags);

/* estimate.c: CPU time that no sample stands for. */
/* A sample with a stack has come, before it is added: place the ones missed before it. */
void estimate_before(struct sampler *sampler, struct task *task, uint32_t stack, uint64_t time);
/* Place what is missing: when it is much, or all there is. */
void estimate_settle(struct sampler *sampler, struct task *task, uint64_t time, bool all);
/* Samples of a task of which nothing but its program is known (PROC). */
void estimate_program(struct sampler *sampler, struct task *task, uint64_t time);
/* A stack for CPU time of a task of which none was seen: as near as it is known, never 0. */
uint32_t estimate_stack(struct sampler *sampler, const struct task *task);
/* The task has ended: its rest goes to the residue of its program. */
void estimate_end(struct sampler *sampler, struct task *task, uint64_t time);

/* thin.c */
/* Whether a sample that stands for weight ns makes a whole period with what the task has. */
bool thin_accept(struct sampler *sampler, struct task *task, uint64_t weight);
/* Halve the rate while there are more samples than wanted. */
void thin_when_due(struct sampler *sampler);

/* usage.c: memory, faults and input/output of the step's processes. */
void resource_usage_look(struct sampler *sampler);
/* The first process only: what it used just before its end would be missed otherwise. */
void resource_usage_look_root(struct sampler *sampler);
void resource_usage_end(struct sampler *sampler, struct process *process);
void resource_usage_step(struct sampler *sampler, struct record_step *row);

/* producers.c */
int producers_register(struct sampler *sampler, struct engine *engine, struct error *err);
/* notes.c: attributes and notes. */
void notes_add(struct sampler *sampler, struct snapshot *snapshot, bool last);

/* tick.c */
int tick_start(struct sampler *sampler, struct engine *engine, struct error *err);
/* The watching is over: no task stands still any more. */
void tick_stop(struct sampler *sampler);
/* Take what there is up to now for a snapshot. */
void tick_catch_up(struct sampler *sampler, bool last);
/* name-rows.c */
/* Rows of places that are new; last: and of all other addresses. */
void names_rows(struct sampler *sampler, struct engine *engine, bool last, struct recordset *set);
/* Rows of objects that are new; last: and of those whose names were found missing. */
void objects_rows(struct sampler *sampler, struct engine *engine, bool last, struct recordset *set);

/* proc.c: the rung without kernel records. */
#define PROC_TICK_MS 10
void proc_scan(struct sampler *sampler, uint64_t time);

#endif
