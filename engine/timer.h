/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The TIMER that comes with the engine: a snapshot at each interval.
 *
 * The interval is the age of the collection divided by wanted, so that a
 * short collection has about so many snapshots too, but not below shortest
 * and not above longest; with wanted 0 it is longest. Aligned, snapshots are
 * taken when the time of day is a multiple of the interval. When a snapshot
 * has taken longer than the interval, the ones that were due meanwhile are
 * left out and counted.
 */
#ifndef VIGIL_ENGINE_TIMER_H
#define VIGIL_ENGINE_TIMER_H

#include "engine/module.h"

/* The context of interval_timer_class. */
struct interval_timer {
	uint64_t shortest, longest; /* ns, above 0 */
	uint64_t wanted;
	bool aligned;
	uint64_t from;	/* ns since 1970 UTC: none is due before; 0 at once */
	uint64_t limit; /* snapshots after which the collection ends, the last included; 0 none */
	/* Filled by the timer. */
	uint64_t start;	   /* of the collection, ns monotonic */
	uint64_t due;	   /* when the snapshot that comes next was due */
	uint64_t taken;	   /* snapshots */
	uint64_t overruns; /* intervals that were left out */
};

extern const struct module_class interval_timer_class;

/* When the snapshot after one at last is due, ns monotonic. wall_offset: wall - monotonic clock. */
uint64_t interval_timer_due(const struct interval_timer *timer, uint64_t last, uint64_t now,
			    uint64_t wall_offset);

/*
 * Returns whether somebody has set a clock: wall - monotonic clock moved, by more
 * than a millisecond.
 */
bool clock_offset_moved(uint64_t offset, uint64_t before);

#endif
