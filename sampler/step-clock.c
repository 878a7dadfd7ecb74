/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the whole step over time. */
#include "common/compat.h"
#include "sampler/step-clock.h"

void step_clock_init(struct step_clock *clock, uint64_t now)
{
	memset(clock, 0, sizeof(*clock));
	clock->now = now;
}

/* Divides time in which no task executed among the waits that count. */
static void charge(struct step_clock *clock, uint64_t passed)
{
	enum wait_class class = clock->waiting[CLASS_MAJOR] ? CLASS_MAJOR : CLASS_MINOR;
	uint64_t tasks = clock->waiting[class];
	uint64_t divide = passed + clock->remainder[class];

	clock->share[class] += divide / tasks;
	clock->remainder[class] = divide % tasks;
	clock->seen.charged[class] += (double)passed;
	if (tasks != 1)
		return;
	clock->alone[class] += passed;
	clock->seen.alone[class] += (double)passed;
}

/* Accounts for time in which no task executes. */
static void pass_idle(struct step_clock *clock, uint64_t passed)
{
	if (clock->preempted) {
		clock->delay += passed;
		clock->seen.delay += (double)passed;
	} else {
		clock->wait += passed;
		clock->seen.wait += (double)passed;
	}
	clock->idle += passed;
	if (clock->files == 1) {
		clock->file_alone += passed;
		clock->seen.file_alone += (double)passed;
	}
	charge(clock, passed);
}

/* Accounts for time in which tasks execute. */
static void pass_busy(struct step_clock *clock, uint64_t passed)
{
	clock->exec += passed;
	clock->seen.exec += (double)passed;
	clock->used += passed * clock->running;
	clock->seen.used += (double)(passed * clock->running);
	if (clock->running == 1 && clock->file_waits == 0) {
		clock->run_alone += passed;
		clock->seen.run_alone += (double)passed;
	}
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
	if (clock->closed)
		return;
	clock->active += passed;
	if (clock->running)
		pass_busy(clock, passed);
	else if (clock->waiting[CLASS_MAJOR] + clock->waiting[CLASS_MINOR])
		pass_idle(clock, passed);
}

/* Returns the part of unobserved time in which tasks executed. */
static double skip_exec(const struct step_clock_sums *seen, double passed, double executed)
{
	double exec = seen->used > 0 ? executed * seen->exec / seen->used : executed;

	return exec < passed ? exec : passed;
}

/* Returns one / other, 0 if other is 0. */
static double ratio(double one, double other)
{
	return other > 0 ? one / other : 0;
}

void step_clock_skip(struct step_clock *clock, uint64_t passed, uint64_t executed,
		     struct step_clock_sums *skipped)
{
	const struct step_clock_sums *seen = &clock->seen;
	uint64_t exec = (uint64_t)skip_exec(seen, (double)passed, (double)executed);
	uint64_t idle = passed - exec, delay;
	double busy_part = ratio((double)exec, seen->exec);
	double idle_part = ratio((double)idle, seen->wait + seen->delay);

	delay = seen->wait + seen->delay > 0 ? (uint64_t)(seen->delay * idle_part) : idle;
	delay = delay < idle ? delay : idle;
	*skipped = (struct step_clock_sums){ .exec = (double)exec, .delay = (double)delay };
	clock->active += passed;
	clock->exec += exec;
	clock->idle += idle;
	clock->delay += delay;
	clock->wait += idle - delay;
	clock->run_alone += (uint64_t)(seen->run_alone * busy_part);
	clock->file_alone += (uint64_t)(seen->file_alone * idle_part);
	skipped->wait = (double)(idle - delay);
	for (int class = 0; class < CLASS_COUNT; class++) {
		skipped->charged[class] = seen->charged[class] * idle_part;
		skipped->alone[class] = seen->alone[class] * idle_part;
	}
	/* No such time was observed. */
	if (idle_part <= 0)
		skipped->charged[CLASS_MAJOR] = (double)idle;
}

void step_clock_fade(struct step_clock *clock, double keep)
{
	struct step_clock_sums *seen = &clock->seen;

	seen->exec *= keep;
	seen->used *= keep;
	seen->wait *= keep;
	seen->delay *= keep;
	seen->run_alone *= keep;
	seen->file_alone *= keep;
	for (int class = 0; class < CLASS_COUNT; class++) {
		seen->charged[class] *= keep;
		seen->alone[class] *= keep;
	}
}

void step_clock_take(struct step_clock *clock, uint64_t *exec, uint64_t *wait, uint64_t *delay)
{
	assert(clock->exec + clock->wait + clock->delay <= clock->active - clock->taken_at);
	assert(clock->run_alone + clock->idle <= clock->active && clock->file_alone <= clock->idle);
	clock->taken_at = clock->active;
	*exec = clock->exec;
	*wait = clock->wait;
	*delay = clock->delay;
	clock->exec = clock->wait = clock->delay = 0;
}

/* Decrements a count, which must not be 0. */
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
