/* SPDX-License-Identifier: Apache-2.0 */
/* Changes the states of tasks. */
#include "common/compat.h"
#include "sampler/states.h"
#include "sampler/waits.h"

void states_init(struct states *states, const struct states_parts *parts)
{
	*states = (struct states){ .parts = *parts };
}

void state_add_cpu(struct states *states, struct task *task, uint64_t used)
{
	task->cpu += used;
	task->activity.cpu += used;
	states->parts.tasks->cpu += used;
	task->base->changed = true;
}

void state_add_solo(struct task *task, uint64_t solo)
{
	task->cpu_solo += solo;
	task->activity.cpu_solo += solo;
}

/* Counts the time since the task was given the processor. */
static void close_running(struct states *states, struct task *task)
{
	struct step_clock *clock = states->parts.clock;

	/* Where states are only sampled, proc.c counts the time. */
	if (*states->parts.privilege == PRIVILEGE_PROC)
		return;
	if (task->duty.unsure)
		return;
	state_add_cpu(states, task, clock->active - task->since);
	state_add_solo(task, clock->run_alone - task->run_alone);
}

/* The task has a processor from now on. */
static void begin_running(struct states *states, struct task *task)
{
	task->since = states->parts.clock->active;
	task->run_alone = states->parts.clock->run_alone;
}

/* Ends the task's state. */
static void leave(struct states *states, struct task *task)
{
	struct step_clock *clock = states->parts.clock;

	switch (task->state) {
	case TASK_RUNNING:
		close_running(states, task);
		step_clock_end_running(clock);
		break;
	case TASK_PREEMPTED:
		waits_close(states->parts.waits, task, true);
		step_clock_end_preempted(clock);
		break;
	case TASK_BLOCKED:
		waits_close(states->parts.waits, task, true);
		break;
	case TASK_UNSEEN:
	case TASK_ENDED:
		break;
	}
}

/* Begins the task's new state. */
static void enter(struct states *states, struct task *task)
{
	struct step_clock *clock = states->parts.clock;

	switch (task->state) {
	case TASK_RUNNING:
		begin_running(states, task);
		step_clock_begin_running(clock);
		break;
	case TASK_PREEMPTED:
		step_clock_begin_preempted(clock);
		waits_open(states->parts.waits, task, true);
		break;
	case TASK_BLOCKED:
		waits_open(states->parts.waits, task, false);
		break;
	case TASK_UNSEEN:
	case TASK_ENDED:
		break;
	}
}

void state_set(struct states *states, struct task *task, enum task_state state)
{
	if (task->state == state || task->state == TASK_ENDED)
		return;
	leave(states, task);
	task->state = state;
	task->assumed = false;
	task->base->changed = true;
	enter(states, task);
}

void state_assume_ready(struct states *states, struct task *task)
{
	state_set(states, task, TASK_PREEMPTED);
	task->assumed = task->state == TASK_PREEMPTED;
}

void state_confirm(struct states *states, struct task *task)
{
	if (!task->duty.unsure)
		return;
	task->duty.unsure = false;
	if (task->state == TASK_RUNNING)
		begin_running(states, task);
}

void state_executed(struct states *states, struct task *task)
{
	struct wait_amount executed;

	if (!task->assumed)
		return;
	waits_withdraw(states->parts.waits, task, &executed);
	step_clock_end_preempted(states->parts.clock);
	state_add_cpu(states, task, executed.total);
	state_add_solo(task, executed.solo);
	task->state = TASK_RUNNING;
	task->assumed = false;
	enter(states, task);
}

void state_settle(struct states *states, struct task *task)
{
	switch (task->state) {
	case TASK_RUNNING:
		close_running(states, task);
		begin_running(states, task);
		task->base->changed = true;
		break;
	case TASK_PREEMPTED:
	case TASK_BLOCKED:
		waits_close(states->parts.waits, task, false);
		task->base->changed = true;
		break;
	case TASK_UNSEEN:
	case TASK_ENDED:
		break;
	}
}
