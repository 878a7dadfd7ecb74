/* SPDX-License-Identifier: Apache-2.0 */
/* What each task does now, and the time it did it. */
#include "common/compat.h"
#include "sampler/core.h"

void state_add_cpu(struct sampler *sampler, struct task *task, uint64_t used)
{
	task->cpu += used;
	task->activity.cpu += used;
	sampler->tasks.cpu += used;
	task->changed = true;
}

/* Count the time since the task was given the processor. */
static void close_running(struct sampler *sampler, struct task *task)
{
	struct step_clock *clock = &sampler->clock;

	/* Where states are only looked at now and then, proc.c counts the time. */
	if (sampler->privilege != PRIVILEGE_PROC)
		state_add_cpu(sampler, task, clock->active - task->since);
	task->activity.cpu_solo += clock->run_alone - task->run_alone;
}

/* The task has a processor from now on. */
static void begin_running(struct sampler *sampler, struct task *task)
{
	task->since = sampler->clock.active;
	task->run_alone = sampler->clock.run_alone;
}

/* The task leaves its state. */
static void leave(struct sampler *sampler, struct task *task)
{
	struct step_clock *clock = &sampler->clock;

	switch (task->state) {
	case TASK_RUNNING:
		close_running(sampler, task);
		clock->running--;
		break;
	case TASK_PREEMPTED:
		waits_close(sampler, task, true);
		clock->preempted--;
		break;
	case TASK_BLOCKED:
		waits_close(sampler, task, true);
		break;
	case TASK_UNSEEN:
	case TASK_ENDED:
		break;
	}
}

/* The task begins another. */
static void enter(struct sampler *sampler, struct task *task)
{
	struct step_clock *clock = &sampler->clock;

	switch (task->state) {
	case TASK_RUNNING:
		begin_running(sampler, task);
		clock->running++;
		break;
	case TASK_PREEMPTED:
		clock->preempted++;
		waits_open(sampler, task, true);
		break;
	case TASK_BLOCKED:
		waits_open(sampler, task, false);
		break;
	case TASK_UNSEEN:
	case TASK_ENDED:
		break;
	}
}

void state_set(struct sampler *sampler, struct task *task, enum task_state state)
{
	if (task->state == state || task->state == TASK_ENDED)
		return;
	leave(sampler, task);
	task->state = state;
	task->changed = true;
	enter(sampler, task);
}

void state_settle(struct sampler *sampler, struct task *task)
{
	switch (task->state) {
	case TASK_RUNNING:
		close_running(sampler, task);
		begin_running(sampler, task);
		task->changed = true;
		break;
	case TASK_PREEMPTED:
	case TASK_BLOCKED:
		waits_close(sampler, task, false);
		task->changed = true;
		break;
	case TASK_UNSEEN:
	case TASK_ENDED:
		break;
	}
}
