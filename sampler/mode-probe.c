/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out whether a task executes in the kernel. */
#include "common/compat.h"
#include "sampler/mode-probe.h"
#include "common/clock.h"
#include "common/outside.h"

#include <linux/perf_event.h>

/* ns until the event is due; until the result is read: less than twice as long. */
#define DUE (100 * NSEC_PER_USEC)
#define READ (190 * NSEC_PER_USEC)
/* The least time for which an event was enabled that was, or was not, due in user mode: timers may be late. */
#define LEAST_DUE (92 * NSEC_PER_USEC)
#define LEAST_OVERDUE (160 * NSEC_PER_USEC)

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
	probe->begun = clock_monotonic_ns();
	if (outside_control(probe->fd, PERF_EVENT_IOC_REFRESH, &once) == 0)
		return true;
	outside_close(probe->fd);
	probe->fd = -1;
	return false;
}

enum executed_mode mode_probe_end(struct mode_probe *probe)
{
	/* Its count, and the ns for which it was enabled. */
	uint64_t values[2] = { 0, 0 }, passed = clock_monotonic_ns() - probe->begun;
	bool read;

	if (passed < READ)
		outside_sleep(READ - passed);
	read = outside_read(probe->fd, values, sizeof(values)) == sizeof(values);
	outside_close(probe->fd);
	probe->fd = -1;
	/* While the task is not on a processor the event is not enabled. */
	if (!read || !values[1])
		return MODE_NONE;
	if (values[1] < LEAST_DUE)
		return MODE_UNKNOWN;
	return values[1] >= LEAST_OVERDUE ? MODE_KERNEL : MODE_USER;
}
