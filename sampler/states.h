/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The current state of each task, and the time it spent in it: execution is
 * counted here, waits by waits.h, and the numbers of tasks in each state by the
 * step clock. The step clock must have been advanced to now before a state
 * changes.
 */
#ifndef VIGIL_SAMPLER_STATES_H
#define VIGIL_SAMPLER_STATES_H

#include "sampler/sampler-config.h"
#include "sampler/tasks.h"

/* The parts it uses; all borrowed. */
struct states_parts {
	struct step_clock *clock;
	struct tasks *tasks; /* for the sum of their CPU time */
	struct waits *waits;
	const enum privilege *privilege; /* PROC: CPU time comes only from state_add_cpu and
					  * _solo */
};

struct states {
	struct states_parts parts;
};

void states_init(struct states *states, const struct states_parts *parts);
/* Changes the task's state from now on; an ended task keeps its state. */
void state_set(struct states *states, struct task *task, enum task_state state);
/* Adds used ns of CPU time to the task. */
void state_add_cpu(struct states *states, struct task *task, uint64_t used);
/* Adds the part of it during which no other task executed or waited for a file. */
void state_add_solo(struct task *task, uint64_t solo);
/*
 * The task can execute, and whether it has a processor is not known: it is taken to
 * be PREEMPTED until a record shows its state.
 */
void state_assume_ready(struct states *states, struct task *task);
/*
 * A record shows that the task had a processor until now: if it was taken to be
 * PREEMPTED, it executed instead.
 */
void state_executed(struct states *states, struct task *task);
/* A record confirms the task's state, which was uncertain until now (duty.h). */
void state_confirm(struct states *states, struct task *task);
/* Brings a task's sums up to now without a change of state. */
void state_settle(struct states *states, struct task *task);

#endif
