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
	uint64_t begun; /* time at which the event was enabled */
};

/* Begins to look at a task; returns false if that is not possible. */
bool mode_probe_begin(struct mode_probe *probe, pid_t tid);
/*
 * Returns the mode in which the task was a tenth of a millisecond after that, MODE_NONE if
 * that cannot be read, and ends the probe. Waits for that moment, and nearly for as long again, as timers may be late.
 */
enum executed_mode mode_probe_end(struct mode_probe *probe);

#endif
