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

	probe->fd = outside_event(&attr, tid, -1);
	if (probe->fd < 0)
		return false;
	if (outside_control(probe->fd, PERF_EVENT_IOC_REFRESH, &once) == 0) {
		probe->begun = clock_monotonic_ns();
		return true;
	}
	outside_close(probe->fd);
	probe->fd = -1;
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

enum executed_mode mode_probe_end(struct mode_probe *probe, struct timer_lateness *lateness)
{
	const uint64_t overdue = least_overdue(lateness);
	/* Its count, and the ns for which it was enabled. */
	uint64_t values[2] = { 0, 0 }, passed = clock_monotonic_ns() - probe->begun, until = overdue + READ_BEYOND;
	bool read;

	if (passed < until)
		outside_sleep(until - passed);
	read = outside_read(probe->fd, values, sizeof(values)) == sizeof(values);
	outside_close(probe->fd);
	probe->fd = -1;
	/* While the task is not on a processor the event is not enabled. */
	if (!read || !values[1])
		return MODE_NONE;
	if (values[1] < LEAST_DUE)
		return MODE_UNKNOWN;
	if (values[1] >= overdue)
		return MODE_KERNEL;
	note_lateness(lateness, values[1]);
	return MODE_USER;
}
