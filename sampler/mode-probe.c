/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether a task executes in the kernel. */
#include "common/compat.h"
#include "sampler/mode-probe.h"
#include "common/clock.h"
#include "common/outside.h"

#include <linux/perf_event.h>

/* ns until the event is due; the result is read so long after an event that was due in user mode has ended. */
#define DUE (100 * NSEC_PER_USEC)
#define READ_BEYOND (10 * NSEC_PER_USEC)
/* The least time for which an event was enabled that was due. */
#define LEAST_DUE (92 * NSEC_PER_USEC)
/*
 * How late timers are at first, and at most, and the weight of one of them, as a divisor. At
 * first little: an event that was due again must not be taken for a late one.
 */
#define LATE_FIRST (20 * NSEC_PER_USEC)
#define LATE_MOST (DUE + DUE / 4)
#define LATE_WEIGHT 16
/* How often at most it is waited for a task that did not execute for long enough. */
#define WAITS 2

/* Begins to count the time for which a task executes. */
static void begin_clock(struct mode_probe *probe, pid_t tid)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	probe->clocked = clock_monotonic_ns();
	probe->clock = outside_event(&attr, tid, -1);
}

/* Returns the ns for which an event was enabled; 0: it was not, or there is none. */
static uint64_t read_enabled(int fd)
{
	/* Its count, and that. */
	uint64_t values[2];

	RETURN_IF(fd < 0 || outside_read(fd, values, sizeof(values)) != sizeof(values), 0);
	return values[1];
}

/* Reads what the task did so far. */
static void read_times(const struct mode_probe *probe, struct probe_times *times)
{
	uint64_t passed = clock_monotonic_ns() - probe->clocked, executed = read_enabled(probe->clock);

	*times = (struct probe_times){ .executed = executed };
	if (probe->clock >= 0 && passed > executed)
		times->idle = passed - executed;
}

static void close_probe(struct mode_probe *probe)
{
	if (probe->clock >= 0)
		outside_close(probe->clock);
	if (probe->fd >= 0)
		outside_close(probe->fd);
	probe->fd = probe->clock = -1;
}

bool mode_probe_begin(struct mode_probe *probe, pid_t tid)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = DUE,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.disabled = 1,
	};
	uint64_t once = 1;

	begin_clock(probe, tid);
	probe->fd = outside_event(&attr, tid, -1);
	if (probe->fd >= 0 && outside_control(probe->fd, PERF_EVENT_IOC_REFRESH, &once) == 0) {
		probe->begun = clock_monotonic_ns();
		return true;
	}
	close_probe(probe);
	return false;
}

/*
 * Returns the least time for which an event was enabled that was not due in user mode. It is
 * due again after DUE, and as late then: so this is between, nearer to that, as one may be
 * much later than most.
 */
static uint64_t least_overdue(const struct timer_lateness *lateness)
{
	return DUE + DUE * 7 / 10 + lateness->late;
}

void timer_lateness_init(struct timer_lateness *lateness)
{
	lateness->late = LATE_FIRST;
}

/* An event ended after this time: notes how late it was. */
static void note_lateness(struct timer_lateness *lateness, uint64_t enabled)
{
	uint64_t late = enabled > DUE ? enabled - DUE : 0;

	late = (lateness->late * (LATE_WEIGHT - 1) + late) / LATE_WEIGHT;
	lateness->late = late < LATE_MOST ? late : LATE_MOST;
}

/*
 * Returns the mode of a task by the time for which the event was enabled; enough: whether
 * the task executed for so long that it would be overdue.
 */
static enum executed_mode mode_of(uint64_t enabled, bool enough, uint64_t overdue)
{
	/* While the task is not on a processor the event is not enabled. */
	if (!enabled)
		return MODE_NONE;
	if (enabled >= overdue)
		return MODE_KERNEL;
	return enabled < LEAST_DUE || !enough ? MODE_UNKNOWN : MODE_USER;
}

enum executed_mode mode_probe_end(struct mode_probe *probe, struct timer_lateness *lateness,
				  struct probe_times *times)
{
	/* The clock is enabled somewhat earlier. */
	const uint64_t overdue = least_overdue(lateness), executed = overdue + probe->begun - probe->clocked;
	uint64_t passed = clock_monotonic_ns() - probe->begun, until = overdue + READ_BEYOND, enabled;
	enum executed_mode mode;

	for (unsigned i = 0;; i++) {
		if (passed < until)
			outside_sleep(until - passed);
		read_times(probe, times);
		enabled = read_enabled(probe->fd);
		mode = mode_of(enabled, probe->clock < 0 || times->executed >= executed, overdue);
		if (mode != MODE_UNKNOWN || times->executed >= executed || i + 1 == WAITS)
			break;
		passed = 0;
		until = executed + READ_BEYOND - times->executed;
	}
	close_probe(probe);
	if (mode == MODE_USER)
		note_lateness(lateness, enabled);
	return mode;
}
