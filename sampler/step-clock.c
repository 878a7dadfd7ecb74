/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the whole step over time. */
#include "common/compat.h"
#include "sampler/step-clock.h"

void step_clock_init(struct step_clock *clock, uint64_t now)
{
	memset(clock, 0, sizeof(*clock));
	clock->now = now;
}

/* Divide time in which no task executed among the waits that count. */
static void charge(struct step_clock *clock, uint64_t passed)
{
	enum wait_class class = clock->waiting[CLASS_MAJOR] ? CLASS_MAJOR : CLASS_MINOR;
	uint64_t tasks = clock->waiting[class];
	uint64_t divide = passed + clock->remainder[class];

	clock->share[class] += divide / tasks;
	clock->remainder[class] = divide % tasks;
	if (tasks == 1)
		clock->alone[class] += passed;
}

void step_clock_advance(struct step_clock *clock, uint64_t now)
{
	uint64_t passed;

	if (now <= clock->now)
		return;
	passed = now - clock->now;
	clock->now = now;
	if (clock->paused) {
		clock->passed_paused += passed;
		return;
	}
	clock->active += passed;
	if (clock->running) {
		clock->exec += passed;
		if (clock->running == 1 && clock->file_waits == 0)
			clock->run_alone += passed;
		return;
	}
	if (clock->waiting[CLASS_MAJOR] + clock->waiting[CLASS_MINOR] == 0)
		return; /* no task is alive */
	if (clock->preempted)
		clock->delay += passed;
	else
		clock->wait += passed;
	clock->idle += passed;
	if (clock->files == 1)
		clock->file_alone += passed;
	charge(clock, passed);
}

void step_clock_cut(struct step_clock *clock, uint64_t *exec, uint64_t *wait, uint64_t *delay)
{
	*exec = clock->exec;
	*wait = clock->wait;
	*delay = clock->delay;
	clock->exec = clock->wait = clock->delay = 0;
}

/* One less of what was counted before. */
static void count_down(uint64_t *count)
{
	assert(*count > 0);
	(*count)--;
}

void step_clock_begin_running(struct step_clock *clock)
{
	clock->running++;
}

void step_clock_end_running(struct step_clock *clock)
{
	count_down(&clock->running);
}

void step_clock_begin_preempted(struct step_clock *clock)
{
	clock->preempted++;
}

void step_clock_end_preempted(struct step_clock *clock)
{
	count_down(&clock->preempted);
}

void step_clock_begin_wait(struct step_clock *clock, enum wait_class class)
{
	clock->waiting[class]++;
}

void step_clock_end_wait(struct step_clock *clock, enum wait_class class)
{
	count_down(&clock->waiting[class]);
}

void step_clock_begin_file_wait(struct step_clock *clock)
{
	clock->file_waits++;
}

void step_clock_end_file_wait(struct step_clock *clock)
{
	count_down(&clock->file_waits);
}

void step_clock_begin_file(struct step_clock *clock)
{
	clock->files++;
}

void step_clock_end_file(struct step_clock *clock)
{
	count_down(&clock->files);
}
