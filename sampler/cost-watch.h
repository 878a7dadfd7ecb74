/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides how much a session may do, so that it costs the step no more than
 * requested (COST): a part of the step's CPU time, for what vigil's threads and
 * data collectors use while the step runs and for what the kernel's records of
 * switches add to the step; for the latter, if the step mostly waits, a part of
 * its run time. It only decides; others act (tick.c, duty.c).
 *
 * The cost of a switch cannot be read. It is assumed to be COST_SWITCH at first.
 * While only a part of the time is observed, the CPU time that tasks use between
 * two switches is known for both parts, and the cost is the difference.
 *
 * Two things are decided, and neither oscillates. The unobserved time after a
 * window follows from that window and those before it. The rate of looks at waits
 * is lowered by a level while the cost is too high, and raised by one when it has
 * been less than half for long, after a longer time each time that this was too
 * early. If no level is left, samples are to be halved. If each sample is shown to
 * data collectors at once, samples are the main cost: they are halved without
 * waiting for the levels.
 */
#ifndef VIGIL_SAMPLER_COST_WATCH_H
#define VIGIL_SAMPLER_COST_WATCH_H

#include "common/compat.h"

#define COST_DEFAULT 3.0   /* percent */
#define COST_SWITCH 1500.0 /* ns: two records, and timers set and cancelled */
#define COST_LEVEL_MAX 3  /* maximum level: one in 2^3 looks */

/* Sums since the session began, ns. */
struct cost_sums {
	uint64_t own;	/* used by vigil for the observation */
	uint64_t added; /* added to the step, as far as it can be estimated */
	uint64_t used;	/* by the step */
	bool asking;	/* not a sum: each sample is currently shown to data collectors at once */
};

/* CPU time and number of times tasks were given a processor, in observed or in other time. */
struct cost_slices {
	double cpu, slices;
};

/*
 * A window: everything was observed for length ns, in which tasks used this CPU
 * time (ns) and switched this often; overhead: ns that opening and closing it
 * takes vigil.
 */
struct cost_window {
	uint64_t length, used, switches, overhead;
};

struct cost_watch {
	double asked;	   /* part of the step's CPU time; 1: no limit */
	double per_switch; /* ns */
	double events;	   /* recent part of the time that switches add while they are observed */
	double busy;	   /* mean number of processors that the step used then */
	struct cost_slices watched, unwatched;
	struct cost_sums last; /* at the last check */
	double own;	       /* recent part of the CPU time that vigil uses */
	unsigned level;	       /* waits are looked at with probability 2^-level */
	unsigned over, under;  /* consecutive checks that were too high, or low enough */
	unsigned asked_over;   /* the same of too high, while samples were the main cost */
	unsigned patience;     /* number of low ones after which the level goes down */
	bool lowered;	       /* the last change of the level was down */
	unsigned level_max;   /* maximum level in the session */
};

enum cost_advice {
	COST_STAYS,
	COST_CHANGED, /* the level */
	COST_HALVE,   /* halve samples: looks are as rare as possible */
};

/* percent: 0: COST_DEFAULT; 100 and more: nothing is ever thinned. */
void cost_watch_init(struct cost_watch *watch, double percent);
bool cost_watch_is_bounded(const struct cost_watch *watch);
/* Returns the ns of unobserved time that must follow a window; 0: continue to observe. */
uint64_t cost_watch_pause(struct cost_watch *watch, const struct cost_window *window);
/* The pause is not made, and the next window counts alone. */
void cost_watch_doubt(struct cost_watch *watch);
/* Adds CPU time of tasks and the number of slices, in time that was observed (watched) or not. */
void cost_watch_slices(struct cost_watch *watch, bool watched, const struct cost_slices *slices);
/*
 * Decides from the sums; called a few times a second, more often while samples are
 * shown to collectors.
 */
enum cost_advice cost_watch_round(struct cost_watch *watch, const struct cost_sums *sums);

#endif
