/* SPDX-License-Identifier: Apache-2.0 */
/* What waits.h keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_WAITS_H
#define VIGIL_SAMPLER_TASK_WAITS_H

#include "sampler/switching.h"
#include "sampler/wait-delay.h"
#include "sampler/wait-estimates.h"
#include "sampler/wait-tally.h"

/* Result of a look at a waiting task. */
struct wait_look {
	struct wait_site site;
	uint64_t from, until; /* monotonic ns: the task was found there at some time in this
			       * range */
	/*
	 * Data collectors reported the place: they read the program's memory after the
	 * look began, so that what they read may belong to what came after the wait.
	 */
	bool by_collectors;
};

/* The waits of one task; only waits.c accesses this. */
struct task_waits {
	/* The wait in progress (BLOCKED, PREEMPTED). */
	struct current_wait {
		enum wait_class class;
		uint64_t share, alone, idle; /* clocks at its start or last split */
		uint64_t began;		     /* active clock at its start */
		uint64_t began_at;	     /* monotonic time at its start */
		bool known;		     /* site is its place */
		bool sure;		     /* and no later record can change that */
		bool unlike_short;		     /* it was missed, and is not treated as similar to
					      * short ones */
		bool exact;		     /* the kernel reported its place: no look changes
					      * that */
		bool again;   /* it continues the wait before: the kernel may sleep several times
			       * in one call */
		bool on_file; /* file_busy counts it */
		struct wait_site site;
		struct wait_odds odds;	/* odds of the look that found it */
		uint64_t charged, solo; /* charged in an earlier class, since the last split */
	} current;
	struct {
		struct wait_site site;
		bool known, again;
	} leaving;	    /* where the task is when it next leaves the processor */
	uint64_t call;	    /* switch-places.c: the program's state in its last wait; 0: unknown */
	uint64_t listed;    /* position in waits->listed, from 1; 0: not listed */
	uint64_t waited_at; /* active clock when its last wait ended */
	struct wait_site recent; /* the place of its last wait whose place is known */
	uint64_t recent_at;	 /* active clock when that was found; 0: never */
	struct {
		struct wait_look look; /* look.until is 0: none */
		struct wait_odds odds;
	} last_look; /* the last look, until it is known which wait it saw */
	struct wait_site short_site; /* the place of the last short wait that a look saw */
	bool short_known;	     /* short_site is valid */
	struct wait_estimates
		likes; /* sums from its waits that looks saw since missed ones were last
		        * distributed */
	struct wait_estimates all_estimates; /* sums from those before */
	struct task_delay delay;     /* wait-delay.h */
	struct task_switching switching;
	struct wait_tallies tallies; /* sums of this snapshot */
	struct wait_amount deferred; /* the last wait, while it may still turn out to be a page
				      * fault */
	bool deferred_unlike_short;	     /* it is not treated as similar to short ones */
	struct wait_amount unseen;   /* its waits in the last time without observation */
	bool deferred_known;	     /* it was for a page; its place is deferred_site, as far as
				      * is known */
	struct wait_site deferred_site;
	struct wait_tallies
		missed; /* waits whose place is not known, by transaction; without a site */
};

#endif
