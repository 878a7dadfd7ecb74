/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Short tasks. The kernel's counting begins anew in each task, so one that
 * uses less than a period of CPU time would never be sampled, and a step that
 * consists of such tasks not at all. While such tasks use a good part of the
 * step's CPU time, the tasks that start them get events with a finer period,
 * which what they start inherits. Of these samples each one that completes a
 * whole period counts, and the others are parts of it, not samples thinned;
 * where in a period a task begins is drawn by lot. So each ns of CPU time is
 * equally likely to be sampled, in short tasks too.
 *
 * Whether a new task has finer events was decided by the kernel at the fork, and the record of the
 * fork is read later. A task forked before they were made has none; of those forked later, all but
 * the first that a task forked have them on each processor, as its fork began later too. Of the
 * first one its samples tell: on a processor where it has finer events one of them comes before
 * each of the others.
 *
 * What tasks were told too much or too little for their CPU time is kept in
 * their program's residue and steers the lots of the next ones. What a lot was
 * steered by is taken from the residue until the task ends, so that hundreds that
 * begin before the first one ends do not all make up for the same.
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

/* What it works on; all borrowed. */
struct short_tasks_parts {
	const struct step_clock *clock;
	const struct sample_ledger *ledger; /* its period */
	struct tasks *tasks;
	struct perf *perf; /* nothing is done while it is not open */
	const enum privilege *privilege;
};

struct short_tasks {
	struct short_tasks_parts parts;
	bool on;
	uint64_t period;    /* of the finer events; 0 while there are none */
	uint64_t until;	    /* monotonic time from which on there are none; 0 while there are some */
	uint64_t looked_at; /* active clock of the last look */
	uint64_t cpu;	    /* ns on a processor, all tasks, at the last look */
	uint64_t short_cpu; /* ns of it, since the last look, of short tasks that ended */
	unsigned quiet;	    /* looks in a row that found few of them */
	uint64_t lot;	    /* of the last task, in parts of 2^64 of a period */
};

void short_tasks_init(struct short_tasks *short_tasks, const struct short_tasks_parts *parts);
/* A task begins, started by parent (NULL: not known): draw where in a period. */
void short_tasks_begin(struct short_tasks *short_tasks, struct task *task, struct task *parent);
/* A task has ended. */
void short_tasks_end(struct short_tasks *short_tasks, const struct task *task);
/* Whether a sample counts: a task with finer events has the others for nothing. */
bool short_tasks_accept(const struct short_tasks *short_tasks, const struct task *task,
			const struct observation *seen);
/* The same when the sample's turn has come; what it tells of the task's events is remembered. */
bool short_tasks_take(const struct short_tasks *short_tasks, struct task *task,
		      const struct observation *seen);
/* Whether a task has not used more yet than a short one. */
bool short_tasks_at_begin(const struct short_tasks *short_tasks, const struct task *task);
/* Give tasks finer events or take them away, as the tasks since the last look ask for. */
void short_tasks_look(struct short_tasks *short_tasks);

#endif
