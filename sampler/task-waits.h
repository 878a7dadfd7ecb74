/* SPDX-License-Identifier: Apache-2.0 */
/* What waits.h keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_WAITS_H
#define VIGIL_SAMPLER_TASK_WAITS_H

#include "sampler/switching.h"
#include "sampler/wait-delay.h"
#include "sampler/wait-likes.h"
#include "sampler/wait-tally.h"

/* What a look at a waiting task has found. */
struct wait_look {
	struct wait_site site;
	uint64_t from, until; /* ns monotonic: the task was found there at some time between */
	/* Data collectors told the place: they read the program's memory later than the look began,
	   and what they read may belong to what came after the wait. */
	bool told;
};

/* What is kept of each task; waits.c's alone. */
struct task_waits {
	/* The wait going on (BLOCKED, PREEMPTED). */
	struct wait_going_on {
		enum wait_class class;
		uint64_t share, alone, idle; /* clocks at its start or last cut */
		uint64_t began;		     /* active clock at its start */
		uint64_t began_at;	     /* monotonic */
		bool known;		     /* site is its place */
		bool sure;		     /* and no record still to come can change that */
		bool apart;		     /* it was missed: it is no like of short ones */
		bool exact;		     /* the kernel told its place: no look changes that */
		bool again;   /* it goes on with the wait before: in one call the kernel may sleep
				 often */
		bool on_file; /* file_busy counts it */
		struct wait_site site;
		struct wait_odds odds;	/* of the look that found it */
		uint64_t charged, solo; /* of an earlier class, since the last cut */
	} going;
	struct {
		struct wait_site site;
		bool known, again;
	} leaving;	    /* where it is as it leaves the processor next */
	uint64_t call;	    /* switch-places.c: the program's state in its last wait; 0 not known */
	uint64_t listed;    /* position in waits->listed, from 1; 0: not on it */
	uint64_t waited_at; /* active clock when its last wait ended */
	struct wait_site recent; /* the place of its last known wait */
	uint64_t recent_at;	 /* active clock when it was found; 0 never */
	struct {
		struct wait_look look; /* until 0: none */
		struct wait_odds odds;
	} met; /* the wait that was looked at last, until it is known which it was */
	struct wait_site short_site; /* the place of the last short wait that was looked at */
	bool short_known;	     /* there is one */
	struct wait_likes
		likes; /* of its waits that were met since the missed ones were laid out */
	struct wait_likes all_likes; /* of those before */
	struct task_delay delay;     /* wait-delay.h */
	struct task_switching switching;
	struct wait_tallies tallies; /* of this snapshot */
	struct wait_amount deferred; /* the last wait, while it may yet be a page fault */
	bool deferred_apart;	     /* it is not taken for the like of short ones */
	struct wait_amount unseen;   /* what time that nobody watched came to last */
	bool deferred_known;	     /* it was for a page, as far as is known at this place: */
	struct wait_site deferred_site;
	struct wait_tallies
		missed; /* waits whose place is not known, by transaction; without a site */
};

#endif
