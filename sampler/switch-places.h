/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Determines where tasks wait from what the kernel shows as they leave the
 * processor (FULL): the registers give the system call with its arguments, and the
 * stack is walked like that of a sample. So the place of each wait is exact,
 * however short the wait is.
 *
 * This does not work for all waits: data collectors cannot be asked about the
 * past, a path or a descriptor may refer to another file by now, the code that
 * makes the call may not show its number, and a stack may be deeper than the part
 * that is recorded. Which waits these are depends only on their place, so looks
 * (wait-looks.h) continue for them as if they were all there are.
 *
 * The kernel may sleep several times in one call, for instance in fsync. A program
 * whose registers and stack are unchanged to the byte has not returned from a call
 * for a file in between: that is one wait.
 *
 * A sample each time a task leaves is expensive. So it is switched off while tasks
 * leave more often than LEAVINGS_MAX times a second for longer than a burst, or
 * faster than the records are processed; switching takes some ten microseconds for
 * each existing task.
 */
#ifndef VIGIL_SAMPLER_SWITCH_PLACES_H
#define VIGIL_SAMPLER_SWITCH_PLACES_H

#include "common/compat.h"

struct collect;
struct observation;
struct perf;
struct prober;
struct stack_resolver;
struct task;
struct tasks;

/* The parts it uses; all borrowed. */
struct switch_places_parts {
	struct perf *perf;
	const struct tasks *tasks;
	struct prober *prober;
	struct collect *collect; /* NULL: no data collectors */
	struct stack_resolver *resolver;
};

struct switch_places {
	struct switch_places_parts parts;
	bool off;	   /* tasks leave too often */
	bool doubted;	   /* they did so in the last window; it may be a burst, as when threads
			    * begin or end */
	uint64_t since;	   /* monotonic start of the window in which switches are counted */
	uint64_t switches; /* switches of all tasks at that time */
	uint64_t off_until;
};

void switch_places_init(struct switch_places *places, const struct switch_places_parts *parts);
/* Handles a sample of a task that leaves the processor. */
void switch_places_take(struct switch_places *places, struct task *task,
			const struct observation *seen);
/* Checks how often tasks leave; call before the records are processed. */
void switch_places_watch(struct switch_places *places);

#endif
