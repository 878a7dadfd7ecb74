/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whether a task executes in the kernel at a moment, without privilege: an event
 * on its CPU time that excludes the kernel and ends with its first sample. If the task is in
 * user mode when the event is due, the event ends then; otherwise it goes on. So the time
 * for which it was enabled tells. The event makes no records.
 */
#ifndef VIGIL_SAMPLER_MODE_PROBE_H
#define VIGIL_SAMPLER_MODE_PROBE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum executed_mode {
	MODE_NONE,    /* it did not execute */
	MODE_UNKNOWN, /* it did, but left the processor before the event was due */
	MODE_USER,
	MODE_KERNEL,
};

struct mode_probe {
	int fd;		/* -1: none */
	uint64_t begun; /* time from which the event was enabled */
};

/* How late timers are on this machine: by a few us, or by 30 to 100 on virtual ones. Probes find it out. */
struct timer_lateness {
	uint64_t late; /* ns, the mean of the last ones */
};

void timer_lateness_init(struct timer_lateness *lateness);
/* Begins to look at a task; returns false if that is not possible. */
bool mode_probe_begin(struct mode_probe *probe, pid_t tid);
/*
 * Returns the mode in which the task was a tenth of a millisecond after that, or somewhat
 * later, as timers are; MODE_NONE if that cannot be read. Waits for that moment, and for most
 * of that again, and ends the probe.
 */
enum executed_mode mode_probe_end(struct mode_probe *probe, struct timer_lateness *lateness);

#endif
