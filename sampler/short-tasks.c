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

void fine_begin(struct sampler *sampler, struct task *task, struct task *parent)
{
	struct pool *pool = task->process->pool;
	int64_t period = (int64_t)sampler->period, steer, lot;

	if (parent)
		parent->started++;
	task->fine = parent && parent->fine;
	if (!task->fine || !pool)
		return;
	sampler->fine.lot += GOLDEN_RATIO;
	lot = (int64_t)part_of(sampler->fine.lot, sampler->period);
	/* Time in the kernel that no sample can show is no reason for more of the others. */
	steer = pool->rest / 4;
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
	pool->rest -= task->steered;
}

void fine_end(struct sampler *sampler, const struct task *task)
{
	if (task->cpu < SHORT_PERIODS * sampler->period)
		sampler->fine.short_cpu += task->cpu;
}

/* Give finer events to the tasks that have started others since the last look. */
static void observe_starters(struct sampler *sampler)
{
	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		unsigned started = task->started;

		task->started = 0;
		if (!started || task->fine || task->state == TASK_ENDED ||
		    sampler->perf.fine_count >= STARTERS_MAX * sampler->perf.cpu_count)
			continue;
		task->fine = perf_observe_fine(&sampler->perf, task->tid, sampler->fine.period);
	}
}

static void stop(struct sampler *sampler)
{
	perf_end_fine(&sampler->perf);
	for (struct task *task = sampler->tasks.all; task; task = task->next)
		task->fine = false;
	sampler->fine.period = 0;
}

void fine_look(struct sampler *sampler)
{
	struct fine *fine = &sampler->fine;
	uint64_t used = sampler->tasks.cpu - fine->cpu;

	if (sampler->timeline.active < fine->looked_at + LOOK_EVERY || !sampler->perf_open)
		return;
	if (fine->short_cpu * SHARE_ON > used && fine->short_cpu > WORTH &&
	    sampler->period / FINER >= PERIOD_MIN)
		fine->on = true;
	fine->quiet = fine->short_cpu * SHARE_OFF < used ? fine->quiet + 1 : 0;
	if (fine->quiet >= QUIET_LOOKS)
		fine->on = false;
	fine->looked_at = sampler->timeline.active;
	fine->cpu = sampler->tasks.cpu;
	fine->short_cpu = 0;
	if (fine->on && !fine->period)
		fine->period = sampler->period / FINER;
	if (fine->on)
		observe_starters(sampler);
	else if (fine->period)
		stop(sampler);
}
