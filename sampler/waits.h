/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of the step's tasks. How long each lasted is exact, from switch
 * records; where it was is looked up for waits that last (wait-looks.h). Short
 * ones get the place of the task's last or next short wait that was looked up,
 * but for page faults, whose place the kernel tells when they are over: so the
 * last short wait of a task is deferred until it is known not to be one.
 *
 * A look is later than the records that were taken so far, so it may have met a
 * later wait than the one it was for: the records tell. A long wait has the
 * place of a look that lay within it, the last of them where data collectors
 * were asked again. One of which they told too late has none, unless they told
 * the place of the short waits before it.
 *
 * states.c opens and closes waits, after the step clock was advanced to now.
 * Every ns between the two is in one tally: each wait, or part of one that a
 * snapshot has cut, is given to its place, deferred, or pending (short waits
 * whose place is not known yet).
 */
#ifndef VIGIL_SAMPLER_WAITS_H
#define VIGIL_SAMPLER_WAITS_H

#include "sampler/file-busy.h"
#include "sampler/wait-tally.h"

struct perf;
struct task;
struct tasks;
struct transactions;

/* What is kept of each task; waits.c's and wait-looks.c's alone. */
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
		bool on_file;		     /* file_busy counts it */
		struct wait_site site;
		uint64_t charged, solo; /* of an earlier class, since the last cut */
		/* wait-looks.c */
		unsigned looks;	 /* ticks in which it was looked at in vain */
		bool unanswered; /* data collectors are to be asked again */
		unsigned asked;	 /* so often they were asked in vain */
		uint64_t ask_at; /* and not before this, active clock */
	} going;
	struct task *next_unknown,
		**unknown_link;	 /* list of those whose waits have no place; NULL link: not on it */
	struct wait_site recent; /* the place of its last known wait */
	uint64_t recent_at;	 /* active clock when it was found; 0 never */
	struct {
		struct wait_site site;
		uint64_t from, until; /* monotonic; until 0: none */
		bool told;	      /* by data collectors, perhaps at the very end */
	} met; /* the wait that was looked at last, until it is known which it was */
	struct wait_site short_site; /* the place of the last short wait that was looked at */
	bool short_known;	     /* there is one */
	struct wait_tallies tallies; /* of this snapshot */
	struct wait_amount deferred; /* the last wait, while it may yet be a page fault */
	bool deferred_apart;	     /* it is not taken for the like of short ones */
	struct wait_amount pending;  /* short waits whose place is not known yet */
	/* wait-looks.c */
	unsigned futile;	 /* looks since a place was found that met it running */
	uint64_t looked_closely; /* of pending, at the last close look */
};

/* What it works on; all borrowed. */
struct waits_parts {
	struct step_clock *clock;
	struct files *files;
	const struct transactions *transactions; /* a wait has the one in force at its end */
	const struct perf *perf;		 /* whether it tells of page faults */
	const enum privilege *privilege;	 /* PROC: waits are only seen when they last */
};

struct waits {
	struct waits_parts parts;
	struct file_busy busy;
	struct task *unknown; /* tasks whose waits have no place, newest first */
};

void waits_init(struct waits *waits, const struct waits_parts *parts);
void waits_release(struct waits *waits);
/* All tasks are forgotten. */
void waits_reset(struct waits *waits);

/* The task begins to wait; preempted: for a processor. */
void waits_open(struct waits *waits, struct task *task, bool preempted);
/* The wait is over (ended), or only cut at a snapshot. */
void waits_close(struct waits *waits, struct task *task, bool ended);
/* The task has ended, or the session: short waits without a place stay unknown. */
void waits_end(struct waits *waits, struct task *task);
/* The task executes another program: what it waited for before tells nothing. */
void waits_exec(struct waits *waits, struct task *task);

/* The task was found waiting at a place, at some time between two. */
void waits_locate(struct waits *waits, struct task *task, const struct wait_site *site,
		  uint64_t from, uint64_t until);
/* Data collectors told the place that was located last: they read the program's memory later than
   the look began, and what they read may belong to what came after the wait. */
void waits_told(struct task *task);
/* Whether the task's last wait may have been a page fault that is over just now. */
bool waits_may_be_fault(const struct waits *waits, const struct task *task);
/* It was one, at a place. */
void waits_fault(struct waits *waits, struct task *task, uint32_t stack);
/* No more is expected of the task's waits without a place. */
void waits_unlist(struct task *task);
/* The stack of the task's last known wait; 0 when there is none. */
uint32_t waits_recent_stack(const struct task *task);

/* Rows of the snapshot that ends at time into set; last: nothing may stay behind. */
void waits_rows(struct waits *waits, struct tasks *tasks, uint64_t time, bool last,
		struct recordset *set);

#endif
