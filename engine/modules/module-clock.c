/* SPDX-License-Identifier: Apache-2.0 */
/* Times an operation by the present values of its global context. */
#include "common/compat.h"
#include "engine/modules/module-clock.h"
#include "common/clock.h"

/* Converts a time of day to ns monotonic, not below 0. */
static uint64_t to_monotonic(uint64_t wall, uint64_t wall_now, uint64_t now)
{
	return wall + now > wall_now ? wall + now - wall_now : 0;
}

/* Returns when the next snapshot is due: the engine takes one more when there is none. */
static uint64_t clock_due(struct module *module, uint64_t last, uint64_t now)
{
	const struct vigil_engine *opened = module->context;
	const struct vigil_global *settings = &opened->settings;
	uint64_t wall = clock_wall_ns(), due = last + settings->interval;

	if (settings->count && settings->taken + 1 >= settings->count)
		return TIMER_NEVER;
	if (settings->start_time && !settings->taken)
		due = to_monotonic(settings->start_time, wall, now);
	if (settings->end_time && due > to_monotonic(settings->end_time, wall, now))
		return TIMER_NEVER;
	return due;
}

const struct module_class module_clock_class = {
	.name = "TIMER",
	.summary = "determines when a snapshot is due: at intervals",
	.capabilities = MODULE_TIMER,
	.due = clock_due,
};
