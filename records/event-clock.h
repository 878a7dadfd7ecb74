/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU time of a task at its events between two anchors, which give it exactly:
 * the time of an event, less what the events before it cost the program, less the
 * task's share of the time off the processor so far.
 */
#ifndef VIGIL_RECORDS_EVENT_CLOCK_H
#define VIGIL_RECORDS_EVENT_CLOCK_H

#include <stdint.h>

/*
 * Unit, ns, in which time off the processor is distributed between two anchors:
 * clocks are no more precise, and a column of multiples compresses well.
 */
#define EVENT_CLOCK_UNIT 32

/* Limits of a clock that is not damaged: of the slope, and of ns from the anchor to an event. */
#define EVENT_CLOCK_SLOPE_MAX 64.0
#define EVENT_CLOCK_LENGTH_MAX (UINT64_C(1) << 50)

struct event_clock {
	uint64_t anchor; /* ns: time of the first anchor */
	int64_t paid;	 /* ns: idle time at it, and the cost of the events since */
	int64_t cost;	 /* ns: of an event */
	double slope;	 /* units of idle time per ns since the anchor */
	int64_t most;	 /* ns: CPU time at the second anchor */
	uint64_t before; /* ns: time of the previous event; at first that of the first one */
	int64_t cpu;	 /* ns: CPU time at the previous event */
};

/*
 * Returns the CPU time, ns, at the next event, which has this time. Events of one
 * time cost the program once. The result is limited to between the CPU time at the
 * previous event and that at the second anchor: it never decreases, so that the
 * events' durations in CPU time add up to what was used, even if events are closer
 * than a unit.
 */
static inline int64_t event_clock_at(struct event_clock *clock, uint64_t time)
{
	const double share = clock->slope * (double)(int64_t)(time - clock->anchor);
	int64_t cpu;

	/* Unsigned: a damaged clock may have any numbers. */
	if (time != clock->before)
		clock->paid = (int64_t)((uint64_t)clock->paid + (uint64_t)clock->cost);
	clock->before = time;
	cpu = (int64_t)(time - (uint64_t)clock->paid - (uint64_t)(int64_t)share * EVENT_CLOCK_UNIT);
	if (cpu > clock->most)
		cpu = clock->most;
	if (cpu > clock->cpu)
		clock->cpu = cpu;
	return clock->cpu;
}

#endif
