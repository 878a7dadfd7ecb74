/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sampler's side of data collectors (include/vigil/collector.h): decides which
 * of them are called for a process, and asks them in turn about a task that was
 * seen executing or waiting.
 *
 * A session whose configuration names no collectors has no struct collect: all
 * functions accept NULL for that, and behave as if there were no collectors.
 *
 * collect-choice.c finds the collectors of a program and loads them, collect-ask.c
 * asks them, collect-messages.c keeps their answers other than the stack,
 * collect-rows.c makes the rows. Each collector runs in a separate process
 * (host/client.h).
 */
#ifndef VIGIL_SAMPLER_COLLECT_H
#define VIGIL_SAMPLER_COLLECT_H

#include "engine/engine.h"
#include "sampler/host/client.h"
#include "sampler/query.h"

#define COLLECT_DELAYS 256

struct named_places;
struct process;
struct task_stops;
struct tasks;
struct transactions;

/* A process that a collector is asked about. */
struct collect_subject {
	pid_t pid, tid;	     /* the process, and a thread of it through which its memory is read */
	uint64_t generation; /* changes with each exec */
	uint64_t mapped;     /* changes when other code is mapped */
};

/* One data collector. */
struct collector {
	uint64_t id;
	const struct sampler_collector *wanted; /* borrowed */
	struct host_client client;
	bool started;	/* the client was started; false: it was not needed yet */
	bool called;	/* for a process of the step */
	unsigned quiet; /* consecutive samples for which it did not question the program */
	uint64_t named; /* bytes of memory taken by the names it gave */
	bool changed;	/* a row is due */
	bool sections_written;
	bool ended;	/* it was asked for its counts */
	bool withdrawn; /* it is off or silent, and transactions that it named have ended */
	struct collect_subject last; /* the process of the last question */
	/* As in struct record_collector. */
	uint64_t calls, answers, outside, torn, late, cost, held;
	uint64_t delay_max, delay_count, delays[COLLECT_DELAYS]; /* histogram by magnitude */
};

/* The parts it uses; borrowed while it lives. */
struct collect_parts {
	const struct sampler_config *config;
	struct named_places *named_places;
	struct transactions *transactions;
	struct task_stops *task_stops;
};

struct collect;

/* Returns NULL if the configuration does not choose collectors. */
struct collect *collect_new(const struct collect_parts *parts);
/* Ends the processes of the collectors. */
void collect_free(struct collect *collect);
/*
 * Loads the collectors of the step's first program, before it begins; returns
 * whether one wants to be called at once. The session begins when this returns.
 */
bool collect_prepare(struct collect *collect);
/*
 * Returns whether collectors are called for a process; loads those that are
 * needed. Updates the process's choice, so call it before functions that use that.
 */
bool collect_wants(struct collect *collect, struct process *process);
/* Returns whether a collector that may be called is still being loaded. */
bool collect_loads(struct collect *collect, struct process *process);
/*
 * Returns whether a collector wants the task to be stopped, at a monotonic time;
 * only if collect_wants. Collectors that come with vigil may stop tasks for 1
 * percent of the session, so that it is not noticeable; there is no limit for
 * those of the user.
 */
bool collect_wants_stop(const struct collect *collect, const struct process *process, uint64_t now);
/* Returns whether the recorded session asked about a sample of a task, where it had other options. */
bool collect_was_asked(const struct collect *collect, const struct task *task, uint64_t time);
/* Asks the collectors of the query's process in turn; only if collect_wants. */
void collect_ask(struct collect *collect, const struct query *query, struct query_state *state);
/*
 * Called at each tick: processes late answers, and checks whether there are
 * processes with collectors. Transactions named by a collector that is switched
 * off end at time, up to which the step is known.
 */
void collect_look(struct collect *collect, const struct tasks *tasks, uint64_t time);
/*
 * Ends the session: asks the collectors that want it how often transactions began
 * by the programs' counts.
 */
void collect_end(struct collect *collect, const struct tasks *tasks);
/* Returns whether the collector with this id was switched off. */
bool collect_is_off(const struct collect *collect, uint64_t id);
/* Returns whether samples of any process of the step are shown to collectors. */
bool collect_busy(const struct collect *collect);
/*
 * Returns whether a collector may question the program when it is called: those
 * that never do can be called later, for many samples at once.
 */
bool collect_asks(const struct collect *collect);
/* Resets the choice of a process that has ended or executes another program. */
void collect_forget(struct collect *collect, struct process *process);
/* Returns whether collectors run in this process. */
bool collect_owns(const struct collect *collect, pid_t pid);
/* Returns the CPU time of the processes in which collectors run, ns. */
uint64_t collect_cpu(const struct collect *collect);

/* Collectors in the order in which they were first considered. */
size_t collect_count(const struct collect *collect);
struct collector *collect_get(const struct collect *collect, size_t number);

/*
 * collect-match.c: returns whether a list of programs (each terminated by NUL, ""
 * at the end) contains one.
 */
bool collect_matches(const char *list, const char *program);
/* Returns whether a name matches a pattern: '*' is any text, '%' any character; case is ignored. */
bool collect_match(const char *pattern, const char *name);

/* collect-rows.c: add a row of each collector that has changed, and of each pseudo-section once. */
void collect_rows(struct collect *collect, struct engine *engine, struct recordset *set);
void collect_section_rows(struct collect *collect, struct engine *engine, struct recordset *set);
/* Adds the subsystem and the messages of collectors, and their problems. */
void collect_notes(struct collect *collect, struct engine *engine, struct snapshot *snapshot);

#endif
