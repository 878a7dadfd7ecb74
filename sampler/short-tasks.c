/* SPDX-License-Identifier: Apache-2.0 */
/* Samples short tasks by a finer period. */
#include "common/compat.h"
#include "sampler/core.h"
#include "common/clock.h"

#define FINER 8
/* The kernel takes no shorter one for a clock than 10 us; this leaves room for the sampler. */
#define PERIOD_MIN (50 * NSEC_PER_USEC)
/* A task is short when it used less than so many periods. */
#define SHORT_PERIODS 4
#define LOOK_EVERY (20 * NSEC_PER_MSEC)
/* Short tasks are worth it from this much CPU time between two looks on. */
#define WORTH (1 * NSEC_PER_MSEC)
/* On at a tenth of the CPU time; off after a second with less than a fiftieth. */
#define SHARE_ON 10
#define SHARE_OFF 50
#define QUIET_LOOKS 50
/* Of 2^64: multiples of it are spread evenly, also those of every second or third task. */
#define GOLDEN_RATIO UINT64_C(0x9e3779b97f4a7c15)
/* So many tasks that start others get finer events. */
#define STARTERS_MAX 64

/* So many parts of 2^64 of a period. */
static uint64_t part_of(uint64_t parts, uint64_t period)
{
	__extension__ typedef unsigned __int128 product;

	return (uint64_t)((product)parts * period >> 64);
}

void short_tasks_begin(struct sampler *sampler, struct task *task, struct task *parent)
{
	struct residue *residue = task->process->residue;
	int64_t period = (int64_t)sampler->period, steer, lot;

	if (parent)
		parent->started++;
	task->finer = parent && parent->finer;
	if (!task->finer || !residue)
		return;
	sampler->short_tasks.lot += GOLDEN_RATIO;
	lot = (int64_t)part_of(sampler->short_tasks.lot, sampler->period);
	/* Time in the kernel that no sample can show is no reason for more of the others. */
	steer = residue->rest / 4;
	if (steer > 0 && sampler->privilege != PRIVILEGE_FULL)
		steer = 0;
	task->phase = lot + steer;
	if (task->phase < 0)
		task->phase = 0;
	if (task->phase >= period)
		task->phase = period - 1;
	task->credit += task->phase;
	/* On average it comes to so much more, which is none of the next tasks' any longer. */
	task->steered = task->phase - lot;
	residue->rest -= task->steered;
}

void short_tasks_end(struct sampler *sampler, const struct task *task)
{
	if (task->cpu < SHORT_PERIODS * sampler->period)
		sampler->short_tasks.short_cpu += task->cpu;
}

/* Give finer events to the tasks that have started others since the last look. */
static void observe_starters(struct sampler *sampler)
{
	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		unsigned started = task->started;

		task->started = 0;
		if (!started || task->finer || task->state == TASK_ENDED ||
		    sampler->perf.finer_count >= STARTERS_MAX * sampler->perf.cpu_count)
			continue;
		task->finer =
			perf_observe_finer(&sampler->perf, task->tid, sampler->short_tasks.period);
	}
}

static void stop(struct sampler *sampler)
{
	perf_end_finer(&sampler->perf);
	for (struct task *task = sampler->tasks.all; task; task = task->next)
		task->finer = false;
	sampler->short_tasks.period = 0;
}

void short_tasks_look(struct sampler *sampler)
{
	struct short_tasks *short_tasks = &sampler->short_tasks;
	uint64_t used = sampler->tasks.cpu - short_tasks->cpu;

	if (sampler->clock.active < short_tasks->looked_at + LOOK_EVERY || !sampler->perf_open)
		return;
	if (short_tasks->short_cpu * SHARE_ON > used && short_tasks->short_cpu > WORTH &&
	    sampler->period / FINER >= PERIOD_MIN)
		short_tasks->on = true;
	short_tasks->quiet = short_tasks->short_cpu * SHARE_OFF < used ? short_tasks->quiet + 1 : 0;
	if (short_tasks->quiet >= QUIET_LOOKS)
		short_tasks->on = false;
	short_tasks->looked_at = sampler->clock.active;
	short_tasks->cpu = sampler->tasks.cpu;
	short_tasks->short_cpu = 0;
	if (short_tasks->on && !short_tasks->period)
		short_tasks->period = sampler->period / FINER;
	if (short_tasks->on)
		observe_starters(sampler);
	else if (short_tasks->period)
		stop(sampler);
}
