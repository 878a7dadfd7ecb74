/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds processes as they start, and as they execute another program.
 *
 * As root, where the kernel reports each exec (the process connector, which needs
 * the machine's own network and PID namespaces), immediately. Otherwise by
 * scanning /proc: a number that was not there before is new, and is inspected
 * again until it is LOOKOUT_YOUNG old, because most processes execute another
 * program soon or never; of the older ones, each look inspects a few, in rotation.
 * If no process has started, the list is not read at all.
 *
 * A look, including what the caller does in it, costs on average at most
 * LOOKOUT_PART of a processor: an expensive look delays the next one, up to
 * LOOKOUT_LONGEST. A process that lives less than that may be missed without the
 * connector.
 */
#ifndef VIGIL_SESSION_WATCH_LOOKOUT_H
#define VIGIL_SESSION_WATCH_LOOKOUT_H

#include "common/compat.h"

#include <sys/types.h>

#define LOOKOUT_YOUNG 3		 /* s */
#define LOOKOUT_PART 1000	 /* one thousandth */
#define LOOKOUT_SHORTEST 100	 /* ms */
#define LOOKOUT_LONGEST 2000	 /* ms */

/* Limits a repeated activity to a part of a processor. Zero-initialized. */
struct pace {
	uint64_t debt;	/* ns that must pass until the time spent is down to that part */
	uint64_t next;	/* monotonic: earliest next time */
	uint64_t began; /* monotonic; 0: not started */
	uint64_t spent, times;
};

/* Accounts for ns of CPU time spent on the activity. */
void pace_spend(struct pace *pace, uint64_t ns);

struct lookout;

/* connector: use it if available. Never NULL. */
struct lookout *lookout_new(bool connector);
void lookout_free(struct lookout *lookout);
/* Releases it in a forked child, without affecting the parent's. */
void lookout_leave(struct lookout *lookout);
/* Returns the descriptor of kernel reports, for poll; -1: none. */
int lookout_descriptor(const struct lookout *lookout);
/* Returns whether the kernel reports processes. */
bool lookout_has_events(const struct lookout *lookout);
/*
 * Returns the processes to inspect now, valid until the next call; each number
 * once. all: all existing processes. Without kernel reports, call it at the
 * lookout's pace.
 */
size_t lookout_take(struct lookout *lookout, bool all, const pid_t **processes);

#endif
