/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which processes there are, and which of them have executed, without a file
 * of each: a list of /proc costs the kernel 2 us a process, the text of stat 4
 * to 5 us, the processor time of a process as a clock 0.3 us.
 *
 * New processes are looked for by number, from the one that the kernel gave
 * last on; who is not there any more has no clock. /proc itself is listed at
 * first, after every PROCESS_WATCH_LIST looks, when there are many new numbers,
 * and when the kernel counts other processes than are known (in a name space
 * of process numbers it counts those outside, too; there nothing is compared).
 *
 * What was recorded of a machine, and a /proc of other numbers than this
 * process has for itself, is listed each time and has no clocks.
 */
#ifndef VIGIL_METRICS_PROCESS_WATCH_H
#define VIGIL_METRICS_PROCESS_WATCH_H

#include "common/compat.h"

#define PROCESS_WATCH_LIST 60

struct process_watch {
	/* The processes of the last look, by number, ascending. */
	struct process_seen {
		uint64_t pid;
		uint64_t clock; /* ns that all its threads have executed; UINT64_MAX: not known */
	} * list;		/* owned */
	size_t count, alloc;
	/* Tasks that executed, or were ready to, at the last look; UINT64_MAX: not known. */
	uint64_t ready;
	/* The watch's own. */
	bool begun, has_clocks, counts;
	int load; /* /proc/loadavg, open from the first look on; -1: it is not there */
	uint64_t looks;		  /* since /proc was listed */
	uint64_t newest, earlier; /* number that was given last at the last look, at the one before */
	uint64_t others; /* by how much more the kernel counts than are known */
};

/* What others may set for a process that does not execute; the bytes are compared. */
struct process_priority {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t times[3];
};

/* Looks which processes there are. Zeroes are a watch before its first look. */
void process_watch_look(struct process_watch *watch);
void process_watch_release(struct process_watch *watch);
/* The priority of a process; false: it is not told. */
bool process_priority(uint64_t pid, struct process_priority *priority);

#endif
