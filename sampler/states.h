/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What each task does now, and the time it did it: executing is counted here,
 * waiting by waits.h, and how many do what by the step clock. The step clock
 * must have been advanced to now before a state changes.
 */
#ifndef VIGIL_SAMPLER_STATES_H
#define VIGIL_SAMPLER_STATES_H

#include "sampler/sampler-config.h"
#include "sampler/tasks.h"

/* What it works on; all borrowed. */
struct states_parts {
	struct step_clock *clock;
	struct tasks *tasks; /* their sum of CPU time */
	struct waits *waits;
	const enum privilege *privilege; /* PROC: CPU time is told by state_add_cpu and _solo alone */
};

struct states {
	struct states_parts parts;
};

void states_init(struct states *states, const struct states_parts *parts);
/* The task does something else from now on; one that has ended does nothing more. */
void state_set(struct states *states, struct task *task, enum task_state state);
/* The task used the processor for so many ns. */
void state_add_cpu(struct states *states, struct task *task, uint64_t used);
/* Of what it used, so much with no other task executing and no wait for a file. */
void state_add_solo(struct task *task, uint64_t solo);
/* A record tells what the task does: until now it may have been something else (duty.h). */
void state_confirm(struct states *states, struct task *task);
/* Bring a task's sums up to now without a change. */
void state_settle(struct states *states, struct task *task);

#endif
