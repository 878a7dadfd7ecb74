/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes windows. */
#include "common/compat.h"
#include "sampler/windows.h"
#include "common/clock.h"
#include "common/outside.h"
#include "sampler/sampler-data.h"

#include <poll.h>
#include <time.h>

/* Mean length of a window; mean interval of decisions while everything is observed. */
#define WINDOW (2 * NSEC_PER_MSEC)
#define LOOK_EVERY (15 * NSEC_PER_MSEC)
/*
 * Maximum interval of decisions while the step switches so little that windows are
 * far from needed.
 */
#define LOOK_RARELY (60 * NSEC_PER_MSEC)
#define SWITCHES_FEW 100
/* The first one is earlier: a step that switches all the time does so from its beginning. */
#define FIRST_LOOK (4 * NSEC_PER_MSEC)
/*
 * Interval of checks of vigil's CPU time; the first is after what it reads only
 * once at the start.
 */
#define ROUND_EVERY (250 * NSEC_PER_MSEC)
#define ROUNDS_AFTER (500 * NSEC_PER_MSEC)
/*
 * The same while each sample is shown to data collectors: that costs most of all,
 * from the beginning.
 */
#define ROUND_ASKING (40 * NSEC_PER_MSEC)
#define ROUNDS_ASKING_AFTER (60 * NSEC_PER_MSEC)

void windows_init(struct windows *windows)
{
	*windows = (struct windows){ .timer = -1,
				     .look = LOOK_EVERY,
				     .chance = clock_monotonic_ns() | 1 };
}

/* Returns a random number, at least 0 and below 1. */
static double draw(struct windows *windows)
{
	windows->chance ^= windows->chance << 13;
	windows->chance ^= windows->chance >> 7;
	windows->chance ^= windows->chance << 17;
	return (double)(windows->chance >> 11) / (double)(UINT64_C(1) << 53);
}

/* Sets the timer to expire after mean ns on average. */
static void set_timer(struct windows *windows, uint64_t mean)
{
	uint64_t ns = (uint64_t)((double)mean * (0.5 + draw(windows))) + 1;

	outside_set_timer(windows->timer, ns, 0);
}

/* Returns the ns of CPU time that this thread has used. */
static uint64_t thread_cpu(void)
{
	return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Begins a window, or the next part of it. */
static void begin_window(struct sampler *sampler)
{
	struct windows *windows = &sampler->windows;

	windows->opened = sampler->clock.now;
	windows->used = sampler->clock.used;
	windows->switches = sampler->tasks.switches;
}

/* Begins unobserved time. */
static void close_window(struct sampler *sampler)
{
	uint64_t now;

	perf_enable(&sampler->perf, false);
	now = clock_monotonic_ns();
	duty_count(sampler, true);
	observe_drain(sampler, now);
	duty_close(sampler);
}

/* Ends unobserved time. */
static void open_window(struct sampler *sampler)
{
	observe_drain(sampler, clock_monotonic_ns());
	duty_count(sampler, false);
	perf_enable(&sampler->perf, true);
	step_clock_advance(&sampler->clock, clock_monotonic_ns());
	duty_open(sampler);
	begin_window(sampler);
}

/* Returns the ns of unobserved time that must follow the window so far. */
static uint64_t pause_after(struct sampler *sampler)
{
	struct windows *windows = &sampler->windows;
	uint64_t switches = sampler->tasks.switches - windows->switches;

	windows->added += (double)switches * sampler->cost.per_switch;
	return cost_watch_pause(&sampler->cost,
				&(struct cost_window){
					.length = sampler->clock.now - windows->opened,
					.used = sampler->clock.used - windows->used,
					.switches = switches,
					.overhead = windows->overhead,
				});
}

/*
 * Returns the ns to the next check of how often the step switches: increasing
 * while it hardly does.
 */
static uint64_t next_look(struct sampler *sampler)
{
	struct windows *windows = &sampler->windows;
	uint64_t switches = sampler->tasks.switches - windows->switches;

	windows->look = switches < SWITCHES_FEW ? 2 * windows->look : LOOK_EVERY;
	if (windows->look > LOOK_RARELY)
		windows->look = LOOK_RARELY;
	return windows->look;
}

/*
 * Everything was observed for a while: begins unobserved time, or continues.
 * Returns the ns to the next call.
 */
static uint64_t decide(struct sampler *sampler)
{
	uint64_t pause, next;

	if (sampler->clock.now == sampler->windows.opened || sampler->clock.paused ||
	    !perf_can_close(&sampler->perf))
		return LOOK_EVERY;
	duty_catch_up(sampler);
	pause = pause_after(sampler);
	if (pause && !sampler->windows.doubted) {
		/* It may be a burst, as when threads are started: closing would cost more. */
		sampler->windows.doubted = true;
		cost_watch_doubt(&sampler->cost);
		begin_window(sampler);
		return FIRST_LOOK;
	}
	sampler->windows.doubted = false;
	if (!pause) {
		next = next_look(sampler);
		begin_window(sampler);
		return next;
	}
	close_window(sampler);
	return pause;
}

/* Ends a short window, or stops using windows. */
static uint64_t end_window(struct sampler *sampler)
{
	uint64_t pause;

	close_window(sampler);
	pause = pause_after(sampler);
	if (!pause) {
		open_window(sampler);
		return LOOK_EVERY;
	}
	return pause;
}

void windows_look_at_costs(struct sampler *sampler, uint64_t now)
{
	struct windows *windows = &sampler->windows;
	bool asking = sampler->wakeup_each_sample && collect_asks(sampler->collect);
	struct cost_sums sums;

	if (windows->timer < 0 || now < windows->round_at)
		return;
	windows->round_at = now + (asking ? ROUND_ASKING : ROUND_EVERY);
	windows->own = thread_cpu() - windows->own_before + collect_cpu(sampler->collect);
	sums = (struct cost_sums){
		.own = windows->own,
		.added = (uint64_t)windows->added,
		.used = sampler->clock.used + sampler->duty.executed,
		.asking = asking,
	};
	if (cost_watch_round(&sampler->cost, &sums) == COST_HALVE) {
		uint64_t period = sampler->ledger.period;

		thin_relieve(&sampler->thin);
		windows->halved += sampler->ledger.period > period;
	}
}

/* engine_ready of the timer. */
static void on_timer(void *argument, int fd, short revents UNUSED)
{
	struct sampler *sampler = argument;
	struct windows *windows = &sampler->windows;
	uint64_t expired, before = thread_cpu(), next;

	if (outside_read(fd, &expired, sizeof(expired)) != sizeof(expired))
		return;
	if (sampler->duty.closed) {
		open_window(sampler);
		next = WINDOW;
	} else {
		next = windows->on && !sampler->clock.paused ? end_window(sampler)
							     : decide(sampler);
		windows->on = sampler->duty.closed;
	}
	if (windows->on)
		windows->overhead = (windows->overhead + thread_cpu() - before) / 2;
	set_timer(windows, next);
	windows_look_at_costs(sampler, clock_monotonic_ns());
}

void windows_start(struct sampler *sampler, struct engine *engine)
{
	struct windows *windows = &sampler->windows;

	if (sampler->privilege == PRIVILEGE_PROC || !cost_watch_is_bounded(&sampler->cost))
		return;
	windows->timer = outside_timer();
	if (windows->timer < 0)
		return;
	windows->engine = engine;
	windows->own_before = thread_cpu();
	windows->round_at = clock_monotonic_ns() +
			    (sampler->wakeup_each_sample ? ROUNDS_ASKING_AFTER : ROUNDS_AFTER);
	begin_window(sampler);
	set_timer(windows, FIRST_LOOK);
	engine_watch(engine, windows->timer, POLLIN, on_timer, sampler);
}

void windows_stop(struct sampler *sampler)
{
	struct windows *windows = &sampler->windows;

	if (windows->timer < 0)
		return;
	windows->own = thread_cpu() - windows->own_before + collect_cpu(sampler->collect);
	if (windows->engine)
		engine_unwatch(windows->engine, windows->timer);
	outside_close(windows->timer);
	windows->timer = -1;
	windows->engine = NULL;
}
