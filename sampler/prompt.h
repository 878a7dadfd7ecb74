/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows samples to data collectors at once, while the kernel's record is still in
 * its ring: what they read in the program's memory is then some microseconds later
 * than the sample, not some milliseconds.
 *
 * Records are applied in order of time and a while after they were written
 * (tick.c); the result for a sample is kept here, by task, until the sample is
 * applied. A sample that cannot be shown early, because the address space changed
 * just before it or there is no space, is shown to the collectors when it is
 * applied.
 *
 * If samples come more often than the period requires (the rate was halved, or
 * they are finer ones of short tasks), one per period is shown, and its result is
 * used for the sample of the same period that stays.
 *
 * Without kernel records there is no struct prompt; functions whose prompt may be
 * NULL say so.
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

/* The parts it uses; borrowed while it lives. */
struct prompt_parts {
	struct perf *perf;
	const struct tasks *tasks;
	const struct short_tasks *short_tasks;
	const struct step_clock *clock;
	struct collect *collect;
	struct stack_resolver *resolver;
	struct transactions *transactions;
	bool other_options; /* sampler_config.other_options */
};

struct prompt;

/* Result for one sample. */
struct prompt_sample {
	struct prompt_sample *next; /* a later one of the same task; or the next free one */
	uint64_t time;
	struct resolved_stack resolved;
};

struct prompt *prompt_new(const struct prompt_parts *parts);
void prompt_free(struct prompt *prompt);
/*
 * Processes the records that are new in the rings; period: ns that a sample that
 * stays stands for. prompt may be NULL.
 */
void prompt_look(struct prompt *prompt, uint64_t period);
/*
 * Gets the result for a sample that stays; returns false if there is none. Drops
 * the results of earlier samples. prompt may be NULL.
 */
bool prompt_take(struct prompt *prompt, struct task *task, const struct observation *seen,
		 uint64_t period, struct resolved_stack *resolved);
/* Returns whether samples of a task are shown to data collectors. prompt may be NULL. */
bool prompt_wants(const struct prompt *prompt, const struct task *task);
/*
 * A sample does not stay: a transaction that was named for it is put in force
 * nevertheless. prompt may be NULL.
 */
void prompt_pass(struct prompt *prompt, struct task *task, uint64_t time);
/* The task executes another program: drops its results, which are no longer valid. */
void prompt_drop(struct prompt *prompt, struct task *task);
/* The task has ended. prompt may be NULL. */
void prompt_forget(struct prompt *prompt, struct task *task);
/*
 * Returns the transaction in force for a task at a time that may be later than the
 * last applied record: by what collectors said about its samples, and what it
 * named itself.
 */
uint64_t prompt_transaction(struct transactions *transactions, const struct task *task,
			    uint64_t time);

#endif
