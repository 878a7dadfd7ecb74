/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whether a task executes in the kernel at a moment, without privilege: an event
 * on its CPU time that excludes the kernel and ends with its first sample. If the task is in
 * user mode when the event is due, the event ends then; otherwise it goes on. So the time
 * for which it was enabled tells. The event makes no records. Another one tells for how long the task
 * executes meanwhile.
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
	int fd;		  /* -1: none */
	int clock;	  /* -1: none */
	uint64_t clocked; /* time from which the clock was enabled */
	uint64_t begun;	  /* time from which the event was enabled */
};

/* What a task did during a probe; all 0: not known. */
struct probe_times {
	uint64_t executed; /* ns for which it executed */
	uint64_t idle;	   /* and did not */
};

/* How late timers are on this machine: by a few us, or by 30 to 100 on virtual ones. Probes find it out. */
struct timer_lateness {
	uint64_t late; /* ns, the mean of the last ones */
};

void timer_lateness_init(struct timer_lateness *lateness);
/* Begins to look at a task; returns false if that is not possible. */
bool mode_probe_begin(struct mode_probe *probe, pid_t tid);
/*
 * Returns the mode in which the task was when it had executed for a tenth of a millisecond
 * after that, or somewhat longer, as timers are; MODE_NONE if that cannot be read. Waits for
 * that moment, and for most of that again, and a little longer if the task was not on a
 * processor all the time; ends the probe.
 */
enum executed_mode mode_probe_end(struct mode_probe *probe, struct timer_lateness *lateness,
				  struct probe_times *times);

#endif
