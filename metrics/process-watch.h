/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which processes exist, and which of them have executed, without reading a
 * file of each: listing /proc costs the kernel 2 us a process, the text of stat 4
 * to 5 us, the CPU time clock of a process 0.3 us.
 *
 * New processes are searched by number, from the last one that the kernel has
 * assigned; ended processes have no clock. /proc itself is listed at first, after
 * every PROCESS_WATCH_LIST looks, when there are many new numbers, and when the
 * kernel's count differs from the number of known processes. (In a PID name space
 * the count includes those outside, so it is not compared.)
 *
 * A recorded machine, and a /proc with other numbers than this process has for
 * itself, are listed each time and have no clocks.
 */
#ifndef VIGIL_METRICS_PROCESS_WATCH_H
#define VIGIL_METRICS_PROCESS_WATCH_H

#include "common/compat.h"

#define PROCESS_WATCH_LIST 60

struct process_watch {
	/* The processes of the last look, in ascending order of number. */
	struct process_seen {
		uint64_t pid;
		uint64_t clock; /* ns of CPU time of all its threads; UINT64_MAX: unknown */
	} * list;		/* owned */
	size_t count, alloc;
	/* Tasks running or ready at the last look; UINT64_MAX: unknown. */
	uint64_t ready;
	/* For internal use. */
	bool begun, has_clocks, counts;
	int load; /* /proc/loadavg, open from the first look on; -1: not available */
	uint64_t looks;		  /* since the last listing of /proc */
	uint64_t newest, earlier; /* last process number assigned at the last look, and at the
				   * one before */
	uint64_t uncounted_excess; /* excess of the kernel's count over the known processes */
};

/* Settings that others may change while a process does not execute; compared bytewise. */
struct process_priority {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t times[3];
};

/* Finds which processes exist. A zeroed watch has had no look yet. */
void process_watch_look(struct process_watch *watch);
void process_watch_release(struct process_watch *watch);
/* Reads the priority of a process. Returns false when it is unavailable. */
bool process_priority(uint64_t pid, struct process_priority *priority);

#endif
