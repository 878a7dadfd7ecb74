/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data collectors (include/vigil/collector.h) from the sampler's side: which
 * of them are called for a process, and asking them in turn about a task that
 * was seen executing or waiting.
 *
 * A session whose configuration names no collectors has no struct collect: all
 * functions take NULL for that, and say that nobody is there.
 *
 * collect-choice.c finds the collectors of a program and loads them,
 * collect-ask.c asks them, collect-messages.c keeps what they tell beside the
 * stack, collect-rows.c makes the rows. Each collector runs in a process of its
 * own (host/client.h).
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
	pid_t pid, tid;	     /* of it, and of a thread through which its memory is read */
	uint64_t generation; /* another one after each exec */
	uint64_t mapped;     /* another one when other code was mapped */
};

/* One data collector. */
struct collector {
	uint64_t id;
	const struct sampler_collector *wanted; /* borrowed */
	struct host_client client;
	bool started;	/* the client was; otherwise it was never needed */
	bool called;	/* for a process of the step */
	unsigned quiet; /* samples in a row for which it asked the program nothing */
	uint64_t named; /* bytes of memory that what it named takes */
	bool changed;	/* a row is due */
	bool sections_told;
	bool ended;	/* it was asked for its counts */
	bool withdrawn; /* it is off or silent, and transactions that it named have ended */
	struct collect_subject last; /* the process that was asked about last */
	/* As in struct record_collector. */
	uint64_t calls, answers, outside, torn, late, cost, held;
	uint64_t delay_most, delay_count, delays[COLLECT_DELAYS]; /* by magnitude */
};

/* What it needs of the sampler; all are borrowed while it lives. */
struct collect_parts {
	const struct sampler_config *config;
	struct named_places *named_places;
	struct transactions *transactions;
	struct task_stops *task_stops;
};

struct collect;

/* NULL when the configuration chooses no collectors. */
struct collect *collect_new(const struct collect_parts *parts);
/* Ends the processes of the collectors. */
void collect_free(struct collect *collect);
/* Load the collectors of the step's first program, before it begins; whether one wants to be called
   at once. The session begins when this returns. */
bool collect_prepare(struct collect *collect);
/* Whether collectors are called for a process; those that are needed are loaded. Changes the
   process's choice, so it comes before what is asked of that. */
bool collect_wants(struct collect *collect, struct process *process);
/* Whether one that may be called is still being loaded. */
bool collect_loads(struct collect *collect, struct process *process);
/*
 * Whether one of them wants the task to be stopped, at a monotonic time; only where collect_wants.
 * What comes with vigil may stop tasks for a hundredth of the session, so that nobody notices; what
 * the user brings gets what it asks for.
 */
bool collect_wants_stop(const struct collect *collect, const struct process *process, uint64_t now);
/* Ask the collectors of the query's process in turn; only where collect_wants. */
void collect_ask(struct collect *collect, const struct query *query, struct query_state *state);
/* At each tick: see what has become of late ones, and whether there are processes with collectors.
   The transactions that one named which was switched off end at time, up to which the step is
   known. */
void collect_look(struct collect *collect, const struct tasks *tasks, uint64_t time);
/* The session ends: hear from those that want it how often transactions began by the programs' own
   books. */
void collect_end(struct collect *collect, const struct tasks *tasks);
/* Whether the collector of an id was switched off. */
bool collect_is_off(const struct collect *collect, uint64_t id);
/* Whether the samples of some process of the step are shown to collectors. */
bool collect_busy(const struct collect *collect);
/* Whether a collector may ask the program something when it is called: those who never do can be
   called later, for many samples at a time. */
bool collect_asks(const struct collect *collect);
/* A process has ended or executes something else. */
void collect_forget(struct collect *collect, struct process *process);
/* Whether a process is one that collectors run in. */
bool collect_owns(const struct collect *collect, pid_t pid);
/* CPU time of the processes that collectors run in, ns. */
uint64_t collect_cpu(const struct collect *collect);

/* Collectors in the order in which they were first considered. */
size_t collect_count(const struct collect *collect);
struct collector *collect_get(const struct collect *collect, size_t number);

/* collect-match.c: whether a list of programs (each ended by NUL, "" at the end) has one. */
bool collect_matches(const char *list, const char *program);
/* Whether a name matches a pattern: '*' is any text, '%' any character, upper and lower case are
   one. */
bool collect_match(const char *pattern, const char *name);

/* collect-rows.c: a row of each collector that has changed, and of each pseudo-section once. */
void collect_rows(struct collect *collect, struct engine *engine, struct recordset *set);
void collect_section_rows(struct collect *collect, struct engine *engine, struct recordset *set);
/* The subsystem they tell, their messages, and what is wrong with them. */
void collect_notes(struct collect *collect, struct engine *engine, struct snapshot *snapshot);

#endif
