/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot at each interval, aligned to the time of day or not. */
#include "common/compat.h"
#include "engine/timer.h"
#include "common/clock.h"

/*
 * Tolerated drift between the clocks: they are not read at the same instant, and
 * slowly follow a time server.
 */
#define CLOCK_TOLERANCE NSEC_PER_MSEC

/* Returns the interval at a time, in ns. */
static uint64_t interval_at(const struct interval_timer *timer, uint64_t now)
{
	uint64_t interval;

	if (!timer->wanted)
		return timer->longest;
	interval = (now - timer->start) / timer->wanted;
	if (interval < timer->shortest)
		return timer->shortest;
	return interval > timer->longest ? timer->longest : interval;
}

uint64_t interval_timer_due(const struct interval_timer *timer, uint64_t last, uint64_t now,
			    uint64_t wall_offset)
{
	uint64_t interval = interval_at(timer, now);

	if (!timer->aligned)
		return last + interval;
	return ((last + wall_offset) / interval + 1) * interval - wall_offset;
}

bool clock_offset_moved(uint64_t offset, uint64_t before)
{
	/* In both directions: negative values wrap around. */
	return offset - before + CLOCK_TOLERANCE > 2 * CLOCK_TOLERANCE;
}

/* Returns when the next snapshot is due; TIMER_NEVER once all were taken. */
static uint64_t timer_due(struct module *module, uint64_t last, uint64_t now)
{
	struct interval_timer *timer = module->context;
	uint64_t wall_offset = clock_wall_ns() - clock_monotonic_ns();

	/* The engine takes one more at the end. */
	if (timer->limit && timer->taken + 1 >= timer->limit)
		return TIMER_NEVER;
	if (timer->from > last + wall_offset)
		last = timer->from - wall_offset - 1;
	timer->due = interval_timer_due(timer, last, now, wall_offset);
	return timer->due;
}

/* Records the start of the collection, and snapshots that come late. */
static enum module_status timer_call(struct module *module, enum sync_point point,
				     struct snapshot *snapshot, struct error *err UNUSED)
{
	struct interval_timer *timer = module->context;

	if (point == SYNC_PRE_BASELINE) {
		timer->start = clock_monotonic_ns();
		return MODULE_OK;
	}
	timer->taken++;
	if (timer->due && !snapshot->last && snapshot->time > timer->due)
		timer->overruns +=
			(snapshot->time - timer->due) / interval_at(timer, snapshot->time);
	return MODULE_OK;
}

const struct module_class interval_timer_class = {
	.name = "TIMER",
	.summary = "determines when a snapshot is due: at intervals",
	.capabilities = MODULE_TIMER,
	.sync_points = 1U << SYNC_PRE_BASELINE | 1U << SYNC_SNAPSHOT,
	.call = timer_call,
	.due = timer_due,
};
