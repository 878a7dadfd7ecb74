/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides how much a session may do, so that it costs the step no more than was
 * asked for (COST): a part of the step's CPU time, for what vigil's own threads
 * and data collectors use while the step runs and for what the kernel's records
 * of switches add to the step; where it waits most of the time, for these a part of its run time.
 * It only decides; others do it (tick.c, duty.c).
 *
 * What a switch costs nobody can read. It is taken for COST_SWITCH at first.
 * While only a part of the time is watched, the CPU time that tasks use from one
 * switch to the next is known for both parts, and the difference is it.
 *
 * Two things are decided, and neither swings: how long nobody watches after a
 * window in which all was watched follows from that window and those before it;
 * how seldom waits are looked at goes up by a step while it is too much and down
 * by one when it has been less than half for long, longer each time that this
 * turned out to be too early. When no step is left, samples are to be halved. Where
 * each sample is shown to data collectors at once, samples are what costs: they are
 * halved without waiting for the looks.
 */
#ifndef VIGIL_SAMPLER_COST_WATCH_H
#define VIGIL_SAMPLER_COST_WATCH_H

#include "common/compat.h"

#define COST_DEFAULT 3.0   /* percent */
#define COST_SWITCH 1500.0 /* ns: two records, and timers set and taken away */
#define COST_LEVEL_MOST 3  /* looks are so seldom at most: every 2^3rd time */

/* Sums since the session began, ns. */
struct cost_sums {
	uint64_t own;	/* used by vigil for watching */
	uint64_t added; /* to the step, as far as it can be told */
	uint64_t used;	/* by the step */
	bool asking;	/* no sum: each sample is shown to data collectors at once, of late */
};

/* CPU time and how often tasks were given a processor, of watched or of other time. */
struct cost_slices {
	double cpu, slices;
};

/* All was watched for length ns, in which tasks used so much CPU time and switched so often; ns
   that opening and closing such a window takes vigil. */
struct cost_window {
	uint64_t length, used, switches, overhead;
};

struct cost_watch {
	double asked;	   /* part of the step's CPU time; 1: whatever it costs */
	double per_switch; /* ns */
	double events;	   /* part of the time that switches add while they are watched, of late */
	double busy;	   /* processors that the step used then */
	struct cost_slices watched, unwatched;
	struct cost_sums last; /* when it was looked at last */
	double own;	       /* part that vigil uses, of late */
	unsigned level;	       /* waits are looked at every 2^level-th time */
	unsigned over, under;  /* looks in a row that were too much, or so little */
	unsigned asked_over;   /* the same of too much, while samples were what cost */
	unsigned patience;     /* so many little ones make it less careful */
	bool lowered;	       /* the last change of the level was down */
	unsigned level_most;   /* of the session */
};

enum cost_advice {
	COST_STAYS,
	COST_CHANGED, /* the level */
	COST_HALVE,   /* samples: looks are as seldom as may be */
};

/* percent: 0: COST_DEFAULT; 100 and more: nothing is ever thinned. */
void cost_watch_init(struct cost_watch *watch, double percent);
bool cost_watch_is_bounded(const struct cost_watch *watch);
/* For how many ns nobody may watch after a window. 0: go on. */
uint64_t cost_watch_pause(struct cost_watch *watch, const struct cost_window *window);
/* It is not done, and the next window tells for itself. */
void cost_watch_doubt(struct cost_watch *watch);
/* How much CPU time tasks used in how many slices, in time that was watched or was not. */
void cost_watch_slices(struct cost_watch *watch, bool watched, const struct cost_slices *slices);
/* Called a few times a second, more often while samples are shown to collectors. */
enum cost_advice cost_watch_round(struct cost_watch *watch, const struct cost_sums *sums);

#endif
