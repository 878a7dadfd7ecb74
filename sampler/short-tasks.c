/* SPDX-License-Identifier: Apache-2.0 */
/* Samples short tasks with a finer period. */
#include "common/compat.h"
#include "sampler/short-tasks.h"
#include "common/clock.h"
#include "sampler/perf.h"
#include "sampler/residue.h"
#include "sampler/sample-ledger.h"
#include "sampler/step-clock.h"
#include "sampler/tasks.h"

#define FINER 8
/* The kernel's minimum for a clock is 10 us; this leaves time for the sampler. */
#define PERIOD_MIN (50 * NSEC_PER_USEC)
/* A task is short if it used less than this many periods. */
#define SHORT_PERIODS 4
#define LOOK_EVERY (20 * NSEC_PER_MSEC)
/* Minimum CPU time of short tasks between two looks for which finer events are worthwhile. */
#define WORTH (1 * NSEC_PER_MSEC)
/* On at a tenth of the CPU time; off after a second with less than a fiftieth. */
#define SHARE_ON 10
#define SHARE_OFF 50
#define QUIET_LOOKS 50
/* In units of 2^-64: its multiples are spread evenly, also those of every second or third task. */
#define GOLDEN_RATIO UINT64_C(0x9e3779b97f4a7c15)
/* Maximum number of starting tasks that get finer events. */
#define STARTERS_MAX 64

/* Returns parts * 2^-64 of a period. */
static uint64_t part_of(uint64_t parts, uint64_t period)
{
	__extension__ typedef unsigned __int128 product;

	return (uint64_t)((product)parts * period >> 64);
}

void short_tasks_init(struct short_tasks *short_tasks, const struct short_tasks_parts *parts)
{
	*short_tasks = (struct short_tasks){ .parts = *parts };
}

/* Records the events that a task inherited from the one that started it. */
static void inherit(const struct short_tasks *short_tasks, struct task *task,
		    struct task_short *from)
{
	struct task_short *own = &task->short_task;
	uint64_t fork_before = from->fork;

	from->fork = task->base->start;
	if (!from->finer || task->base->start < from->asked ||
	    (short_tasks->until && task->base->start >= short_tasks->until))
		return;
	own->finer = true;
	/* The fork began after the previous one was over. */
	own->unsure = from->unsure || fork_before < from->given;
}

void short_tasks_begin(struct short_tasks *short_tasks, struct task *task, struct task *parent)
{
	const struct sample_ledger *ledger = short_tasks->parts.ledger;
	struct residue *residue = task->process->residue;
	int64_t period = (int64_t)ledger->period, steer, lot, phase;

	if (parent) {
		parent->short_task.started++;
		inherit(short_tasks, task, &parent->short_task);
	}
	if (!task->short_task.finer || !residue)
		return;
	short_tasks->lot += GOLDEN_RATIO;
	lot = (int64_t)part_of(short_tasks->lot, ledger->period);
	/* Time in the kernel that no sample can show must not cause more of the others. */
	steer = residue->rest / 4;
	if (steer > 0 && *short_tasks->parts.privilege != PRIVILEGE_FULL)
		steer = 0;
	phase = lot + steer;
	if (phase < 0)
		phase = 0;
	if (phase >= period)
		phase = period - 1;
	sample_ledger_begin(ledger, task, phase);
	/* On average the task gets this much more, so the next tasks must not get it again. */
	task->short_task.steered = phase - lot;
	residue->rest -= task->short_task.steered;
}

bool short_tasks_at_begin(const struct short_tasks *short_tasks, const struct task *task)
{
	uint64_t cpu = task->cpu;

	if (task->state == TASK_RUNNING && *short_tasks->parts.privilege != PRIVILEGE_PROC)
		cpu += short_tasks->parts.clock->active - task->since;
	return cpu < SHORT_PERIODS * short_tasks->parts.ledger->period;
}

void short_tasks_end(struct short_tasks *short_tasks, const struct task *task)
{
	struct residue *residue = task->process->residue;

	if (!short_tasks_at_begin(short_tasks, task))
		return;
	short_tasks->short_cpu += task->cpu;
	if (!residue || !task->short_task.finer || task->short_task.given)
		return;
	residue->short_cpu += task->cpu;
	residue->short_user += task->short_task.sampled;
}

/* Returns the bit of the processor of an observation. */
static uint64_t processor_bit(const struct observation *seen)
{
	return UINT64_C(1) << (seen->processor % 64);
}

/*
 * Returns whether a sample is of finer events that were removed before the present
 * ones were made: those say nothing of the events that its task has now. The samples
 * of its other events cover the same time.
 */
static bool is_of_removed(const struct short_tasks *short_tasks, const struct observation *seen)
{
	return seen->sample.finer && seen->time < short_tasks->began;
}

bool short_tasks_accept(const struct short_tasks *short_tasks, const struct task *task,
			const struct observation *seen)
{
	const struct task_short *own = &task->short_task;
	bool finer = own->finer && seen->time >= own->given;

	if (own->unsure && !seen->sample.finer)
		finer = finer && (own->seen_on & processor_bit(seen));
	/* Samples of removed events may still be in the rings. */
	if (short_tasks->until && seen->time >= short_tasks->until)
		finer = false;
	return seen->sample.finer == finer && !is_of_removed(short_tasks, seen);
}

bool short_tasks_take(const struct short_tasks *short_tasks, struct task *task,
		      const struct observation *seen)
{
	struct task_short *own = &task->short_task;

	if (is_of_removed(short_tasks, seen))
		return false;
	if (seen->sample.finer && !own->finer) {
		/*
		 * What was recorded of the task that started it was wrong, or its record was lost.
		 */
		own->finer = own->unsure = true;
	}
	if (seen->sample.finer)
		own->seen_on |= processor_bit(seen);
	RETURN_IF(!short_tasks_accept(short_tasks, task, seen), false);
	own->sampled += seen->sample.period;
	return true;
}

/* Gives finer events to the tasks that have started others since the last look. */
static void observe_starters(struct short_tasks *short_tasks)
{
	struct perf *perf = short_tasks->parts.perf;

	for (struct task *task = short_tasks->parts.tasks->all; task; task = task->next) {
		struct task_short *own = &task->short_task;
		unsigned started = own->started;

		own->started = 0;
		if (!started || own->finer || task->state == TASK_ENDED ||
		    perf->finer_count >= STARTERS_MAX * perf->cpu_count)
			continue;
		own->asked = clock_monotonic_ns();
		own->finer = perf_observe_finer(perf, task->base->tid, short_tasks->period);
		own->given = clock_monotonic_ns();
	}
}

/*
 * Removes the finer events. Which tasks had them is remembered until the records
 * up to now have been read.
 */
static void stop(struct short_tasks *short_tasks)
{
	perf_end_finer(short_tasks->parts.perf);
	short_tasks->until = clock_monotonic_ns();
	short_tasks->period = 0;
}

/* Begins a time with finer events, which no task has yet. */
static void start(struct short_tasks *short_tasks)
{
	uint64_t period = short_tasks->parts.ledger->period;

	for (struct task *task = short_tasks->parts.tasks->all; task; task = task->next) {
		struct task_short *own = &task->short_task;

		own->finer = own->unsure = false;
		own->seen_on = own->asked = own->given = 0;
	}
	/* With few samples, no longer than that of the events that tasks inherit anyway. */
	if (period > FINER * short_tasks->parts.ledger->period_initial)
		period = FINER * short_tasks->parts.ledger->period_initial;
	short_tasks->began = short_tasks->until;
	short_tasks->until = 0;
	short_tasks->period = period / FINER;
}

void short_tasks_look(struct short_tasks *short_tasks)
{
	const struct short_tasks_parts *parts = &short_tasks->parts;
	uint64_t used = parts->tasks->cpu - short_tasks->cpu;

	if (parts->clock->active < short_tasks->looked_at + LOOK_EVERY || !parts->perf->open)
		return;
	if (short_tasks->short_cpu * SHARE_ON > used && short_tasks->short_cpu > WORTH &&
	    parts->ledger->period / FINER >= PERIOD_MIN)
		short_tasks->on = true;
	short_tasks->quiet = short_tasks->short_cpu * SHARE_OFF < used ? short_tasks->quiet + 1 : 0;
	if (short_tasks->quiet >= QUIET_LOOKS)
		short_tasks->on = false;
	short_tasks->looked_at = parts->clock->active;
	short_tasks->cpu = parts->tasks->cpu;
	short_tasks->short_cpu = 0;
	if (short_tasks->on && !short_tasks->period)
		start(short_tasks);
	if (short_tasks->on)
		observe_starters(short_tasks);
	else if (short_tasks->period)
		stop(short_tasks);
}
