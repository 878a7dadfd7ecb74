/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds processes as they start, and as they become another program.
 *
 * As root, where the kernel tells of each exec (the process connector, which
 * needs the machine's own network and process numbers), the moment it happens.
 * Otherwise by looking at /proc: a number that was not there before is new, and
 * is looked at again until it is LOOKOUT_YOUNG old, for most processes become
 * another program soon or never; of the others, a few are in each look, in turns.
 * Where nothing has started, the list is not read at all.
 *
 * What is called a look costs in all at most LOOKOUT_PART of a processor: a look
 * that was dear makes the next one come later, within LOOKOUT_LONGEST. So a process
 * that lives less than that may be missed without the connector.
 */
#ifndef VIGIL_SESSION_WATCH_LOOKOUT_H
#define VIGIL_SESSION_WATCH_LOOKOUT_H

#include "common/compat.h"

#include <sys/types.h>

#define LOOKOUT_YOUNG 3		 /* s */
#define LOOKOUT_PART 1000	 /* one thousandth */
#define LOOKOUT_SHORTEST 100	 /* ms */
#define LOOKOUT_LONGEST 2000	 /* ms */

/* Keeps what is done again and again within a part of a processor. Zeroes at first. */
struct pace {
	uint64_t debt;	/* ns that must pass until what was spent is that part */
	uint64_t next;	/* monotonic: not before */
	uint64_t began; /* monotonic; 0: not yet */
	uint64_t spent, times;
};

/* Something was done that took so many ns of CPU time. */
void pace_spend(struct pace *pace, uint64_t ns);

struct lookout;

/* connector: use it where it can be had. Never NULL. */
struct lookout *lookout_new(bool connector);
void lookout_free(struct lookout *lookout);
/* In a child: it is not this process's. */
void lookout_leave(struct lookout *lookout);
/* Where the kernel tells of processes, for poll; -1: nowhere. */
int lookout_descriptor(const struct lookout *lookout);
/* Whether the kernel tells. */
bool lookout_is_told(const struct lookout *lookout);
/*
 * The processes to be looked at now, valid until the next call; each number once. all: all that
 * there are. Where it is not told, it is to be called in the lookout's pace.
 */
size_t lookout_take(struct lookout *lookout, bool all, const pid_t **processes);

#endif
