/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine's TIMER module: a snapshot at each interval.
 *
 * The interval is the age of the collection divided by wanted, limited to shortest
 * and longest, so that a short collection has about wanted snapshots too; with
 * wanted 0 it is longest. If aligned, snapshots are taken when the time of day is
 * a multiple of the interval. When a snapshot takes longer than the interval,
 * those due meanwhile are skipped and counted.
 */
#ifndef VIGIL_ENGINE_TIMER_H
#define VIGIL_ENGINE_TIMER_H

#include "engine/module.h"

/* The context of interval_timer_class. */
struct interval_timer {
	uint64_t shortest, longest; /* ns, above 0 */
	uint64_t wanted;
	bool aligned;
	uint64_t from;	/* ns since 1970 UTC before which none is due; 0: at once */
	uint64_t limit; /* snapshots after which the collection ends, including the last; 0: no
			 * limit */
	/* Set by the timer. */
	uint64_t start;	   /* of the collection, ns monotonic */
	uint64_t due;	   /* ns monotonic at which the next snapshot was due */
	uint64_t taken;	   /* snapshots taken */
	uint64_t overruns; /* intervals skipped */
};

extern const struct module_class interval_timer_class;

/*
 * Returns when the snapshot after the one taken at last is due, ns monotonic.
 * wall_offset: wall - monotonic clock.
 */
uint64_t interval_timer_due(const struct interval_timer *timer, uint64_t last, uint64_t now,
			    uint64_t wall_offset);

/*
 * Returns whether a clock was set: wall - monotonic clock has changed by more than
 * a millisecond.
 */
bool clock_offset_moved(uint64_t offset, uint64_t before);

#endif
