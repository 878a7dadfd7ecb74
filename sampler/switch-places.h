/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where tasks wait, from what the kernel shows of them as they leave the
 * processor (FULL): the registers tell the system call with its arguments, and
 * the stack is walked as that of a sample. So the place of each wait is
 * exact, however short it is.
 *
 * Not of all: data collectors cannot be asked about the past, a path or a
 * descriptor may be another by now, a call may be made by code that does not
 * tell its number, a stack may be deeper than what is shown. Which waits these
 * are depends on their place alone, so looks (wait-looks.h) go on for them as
 * if they were all there are.
 *
 * In one call the kernel may sleep more than once, for instance in fsync. A
 * program whose registers and stack are the same to the byte has not come back
 * from a call for a file in between: that is one wait.
 *
 * A sample for each leaving is dear, so it ends while tasks leave more often
 * than LEAVINGS_MOST times a second for longer than a burst, or faster than the records are taken: to
 * switch it takes some ten microseconds for each task there is.
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

/* What it works on; all borrowed. */
struct switch_places_parts {
	struct perf *perf;
	const struct tasks *tasks;
	struct prober *prober;
	struct collect *collect; /* NULL: there are no data collectors */
	struct stack_resolver *resolver;
};

struct switch_places {
	struct switch_places_parts parts;
	bool off;	   /* tasks leave too often */
	bool doubted;	   /* they did so in the last window: it may be a burst, as when threads begin or end */
	uint64_t since;	   /* monotonic; the window in which leavings are counted */
	uint64_t switches; /* all of the tasks' by then */
	uint64_t off_until;
};

void switch_places_init(struct switch_places *places, const struct switch_places_parts *parts);
/* A task leaves the processor. */
void switch_places_take(struct switch_places *places, struct task *task,
			const struct observation *seen);
/* See how often tasks leave; before the records are taken. */
void switch_places_watch(struct switch_places *places);

#endif
