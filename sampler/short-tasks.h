/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples short tasks. The kernel starts the sampling period anew in each task, so
 * a task that uses less than a period of CPU time would never be sampled, and a
 * step that consists of such tasks not at all. While such tasks use a good part of
 * the step's CPU time, the tasks that start them get events with a finer period,
 * which their children inherit. Of these samples each one that completes a whole
 * period counts; the others are parts of it, not thinned samples. The position in
 * a period at which a task begins is drawn at random. So each ns of CPU time is
 * equally likely to be sampled, in short tasks too.
 *
 * Whether a new task has finer events is decided by the kernel at the fork, and
 * the record of the fork is read later. A task forked before they were made has
 * none. Tasks forked later have them on each processor, except the first one of
 * each parent, as its fork may have begun earlier. Its samples decide: on a
 * processor where it has finer events, one of them precedes each of the others.
 *
 * What tasks got too much or too little in samples for their CPU time is kept in
 * the residue of their program and biases the draws of the next ones. The bias of
 * a draw is subtracted from the residue until the task ends, so that hundreds of
 * tasks that begin before the first one ends do not all compensate for the same
 * time.
 */
#ifndef VIGIL_SAMPLER_SHORT_TASKS_H
#define VIGIL_SAMPLER_SHORT_TASKS_H

#include "sampler/sampler-config.h"
#include "sampler/task-short.h"

struct observation;
struct perf;
struct sample_ledger;
struct step_clock;
struct task;
struct tasks;

/* The parts it uses; all borrowed. */
struct short_tasks_parts {
	const struct step_clock *clock;
	const struct sample_ledger *ledger; /* for its period */
	struct tasks *tasks;
	struct perf *perf; /* nothing is done while it is not open */
	const enum privilege *privilege;
};

struct short_tasks {
	struct short_tasks_parts parts;
	bool on;
	uint64_t period;    /* ns, of the finer events; 0: there are none */
	uint64_t began;	    /* monotonic time at which others had ended before them; 0: there were none */
	uint64_t until;	    /* monotonic time at which they ended; 0: they exist */
	uint64_t looked_at; /* active clock of the last look */
	uint64_t cpu;	    /* ns of CPU time of all tasks at the last look */
	uint64_t short_cpu; /* ns of CPU time of short tasks that ended since the last look */
	unsigned quiet;	    /* consecutive looks that found few of them */
	uint64_t lot;	    /* draw of the last task, in units of 2^-64 of a period */
};

void short_tasks_init(struct short_tasks *short_tasks, const struct short_tasks_parts *parts);
/* Begins a task that parent started (NULL: unknown): draws its position in a period. */
void short_tasks_begin(struct short_tasks *short_tasks, struct task *task, struct task *parent);
/* Ends a task. */
void short_tasks_end(struct short_tasks *short_tasks, const struct task *task);
/*
 * Returns whether a sample counts: those of the normal period do not if the task
 * has finer events.
 */
bool short_tasks_accept(const struct short_tasks *short_tasks, const struct task *task,
			const struct observation *seen);
/*
 * Returns the same when the sample is processed in order; records what it shows of
 * the task's events.
 */
bool short_tasks_take(const struct short_tasks *short_tasks, struct task *task,
		      const struct observation *seen);
/* Returns whether a task has used no more CPU time so far than a short one. */
bool short_tasks_at_begin(const struct short_tasks *short_tasks, const struct task *task);
/* Gives tasks finer events or removes them, depending on the tasks since the last look. */
void short_tasks_look(struct short_tasks *short_tasks);

#endif
