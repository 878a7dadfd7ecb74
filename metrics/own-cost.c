/* SPDX-License-Identifier: Apache-2.0 */
/* OWN: the cost of the collection itself. */
#include "common/compat.h"
#include "common/clock.h"
#include "engine/timer.h"
#include "metrics/kinds.h"

#include <sys/resource.h>

enum { CPU, MEMORY, MINOR, MAJOR, SWITCHES, LATE, LEFT_OUT };

static const struct metric_item items[] = {
	COUNTER("processor_time", "ns", MADE, "Processor time of the collector."),
	LEVEL("memory_peak", "bytes", MADE, "Maximum memory of the collector."),
	COUNTER("minor_faults", "count", MADE, "Its page faults that did not wait for a disk."),
	COUNTER("major_faults", "count", MADE, "Its page faults that waited for a disk."),
	COUNTER("involuntary_switches", "count", MADE,
		"How often it lost the processor to another task."),
	LEVEL("late", "ns", MADE, "Delay of this snapshot after the time when it was due."),
	COUNTER("intervals_left_out", "count", MADE,
		"Intervals without a snapshot because the previous one took too long."),
};

_Static_assert(ARRAY_SIZE(items) == LEFT_OUT + 1, "the items are where they are said to be");

/* Marks skipped intervals in the data. */
static void mark(struct metric_source *source, uint64_t left_out)
{
	uint64_t *marked = source->own;

	if (left_out > *marked)
		snapshot_note(source->snapshot, source->engine, SEVERITY_WARNING, 3500,
			      "%" PRIu64 " intervals have no snapshot: the previous one took too "
			      "long",
			      left_out - *marked);
	*marked = left_out;
}

static void read_all(struct metric_source *source)
{
	const struct interval_timer *timer = source->argument;
	struct rusage usage;
	uint64_t *values = source->values, now = source->snapshot->time;

	metric_begin(source);
	if (getrusage(RUSAGE_SELF, &usage) == 0) {
		values[CPU] =
			clock_timeval_ns(&usage.ru_utime) + clock_timeval_ns(&usage.ru_stime);
		values[MEMORY] = (uint64_t)usage.ru_maxrss * 1024;
		values[MINOR] = (uint64_t)usage.ru_minflt;
		values[MAJOR] = (uint64_t)usage.ru_majflt;
		values[SWITCHES] = (uint64_t)usage.ru_nivcsw;
	}
	if (timer) {
		if (timer->due)
			values[LATE] = now > timer->due ? now - timer->due : 0;
		values[LEFT_OUT] = timer->overruns;
		mark(source, timer->overruns);
	}
	metric_add(source);
}

const struct metric_kind own_kind = {
	.name = "OWN",
	.record = "own",
	.summary = "cost of the collection itself, and intervals that were left out",
	.meaning = "The collector.",
	METRIC_ITEMS(items),
	.private_size = sizeof(uint64_t),
	.read = read_all,
};
