/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the whole step over time. */
#include "common/compat.h"
#include "sampler/step-clock.h"

void timeline_init(struct timeline *timeline, uint64_t now)
{
	memset(timeline, 0, sizeof(*timeline));
	timeline->now = now;
}

/* Divide time in which no task executed among the waits that count. */
static void charge(struct timeline *timeline, uint64_t passed)
{
	enum wait_class class = timeline->waiting[CLASS_MAJOR] ? CLASS_MAJOR : CLASS_MINOR;
	uint64_t tasks = timeline->waiting[class];
	uint64_t divide = passed + timeline->remainder[class];

	timeline->share[class] += divide / tasks;
	timeline->remainder[class] = divide % tasks;
	if (tasks == 1)
		timeline->alone[class] += passed;
}

void timeline_advance(struct timeline *timeline, uint64_t now)
{
	uint64_t passed;

	if (now <= timeline->now)
		return;
	passed = now - timeline->now;
	timeline->now = now;
	if (timeline->paused)
		return;
	timeline->active += passed;
	if (timeline->running) {
		timeline->exec += passed;
		if (timeline->running == 1 && timeline->file_waits == 0)
			timeline->run_alone += passed;
		return;
	}
	if (timeline->waiting[CLASS_MAJOR] + timeline->waiting[CLASS_MINOR] == 0)
		return; /* no task is alive */
	if (timeline->preempted)
		timeline->delay += passed;
	else
		timeline->wait += passed;
	timeline->idle += passed;
	if (timeline->files == 1)
		timeline->file_alone += passed;
	charge(timeline, passed);
}

void timeline_cut(struct timeline *timeline, uint64_t *exec, uint64_t *wait, uint64_t *delay)
{
	*exec = timeline->exec;
	*wait = timeline->wait;
	*delay = timeline->delay;
	timeline->exec = timeline->wait = timeline->delay = 0;
}
