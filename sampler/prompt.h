/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows samples to data collectors at once, while the kernel's record still
 * lies in its ring: what they read in the program's memory is then some
 * microseconds older than the sample, not some milliseconds.
 *
 * Records are applied in order of time and a while after they were written
 * (tick.c); what was found out about a sample is kept here, by task, until the
 * sample is applied. A sample that could not be looked at, as the address space
 * changed just before it or there is no room, is shown to the collectors when
 * it is applied.
 *
 * Where samples come more often than the period asks for (the rate was halved,
 * or they are finer ones of short tasks), one a period is looked at, and stands
 * for the one of the same period that stays.
 *
 * Without kernel records there is no struct prompt; what takes a task and a
 * struct prompt that may be NULL says so.
 */
#ifndef VIGIL_SAMPLER_PROMPT_H
#define VIGIL_SAMPLER_PROMPT_H

#include "sampler/perf.h"
#include "sampler/query.h"
#include "sampler/task-prompt.h"

struct collect;
struct process;
struct stack_resolver;
struct task;
struct tasks;
struct short_tasks;
struct step_clock;
struct transactions;

/* What it works with; all are borrowed while it lives. */
struct prompt_parts {
	struct perf *perf;
	const struct tasks *tasks;
	const struct short_tasks *short_tasks;
	const struct step_clock *clock;
	struct collect *collect;
	struct stack_resolver *resolver;
	struct transactions *transactions;
};

struct prompt;

/* What is kept of one sample. */
struct prompt_sample {
	struct prompt_sample *next; /* of the same task, later; or free */
	uint64_t time;
	struct resolved_stack resolved;
};

struct prompt *prompt_new(const struct prompt_parts *parts);
void prompt_free(struct prompt *prompt);
/* Look at the records that are new in the rings; period: ns that a sample that stays stands for.
   prompt may be NULL. */
void prompt_look(struct prompt *prompt, uint64_t period);
/* What was found out about a sample that stays; false when it was not looked at. What is kept of
   earlier ones is dropped. prompt may be NULL. */
bool prompt_take(struct prompt *prompt, struct task *task, const struct observation *seen,
		 uint64_t period, struct resolved_stack *resolved);
/* Whether samples of a task are shown to data collectors. prompt may be NULL. */
bool prompt_wants(const struct prompt *prompt, const struct task *task);
/* A sample does not stay: a transaction that was named for it is in force all the same. prompt may
   be NULL. */
void prompt_pass(struct prompt *prompt, struct task *task, uint64_t time);
/* The task executes another program: what was found out is no longer valid. */
void prompt_drop(struct prompt *prompt, struct task *task);
/* The task has ended. prompt may be NULL. */
void prompt_forget(struct prompt *prompt, struct task *task);
/* The transaction in force for a task at a time that may lie ahead of what is applied: by what
   collectors said of its samples, and by what it named itself. */
uint64_t prompt_transaction(struct transactions *transactions, const struct task *task,
			    uint64_t time);

#endif
