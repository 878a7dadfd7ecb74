/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of the step's tasks. How long each lasted until the task executed again
 * is exact, from switch records, less what the switch took (switching.h); for how much of that it
 * was ready only is taken out at snapshots (wait-delay.h). Where it was is known of those that were
 * met by a look (wait-looks.h); the others of a task are laid out over the places of its waits that
 * were met, by what these tell of them (wait-likes.h), with the variance of that. Of page faults
 * the kernel tells the place when they are over: so the last wait of a task that was not met is
 * deferred until it is known not to be one.
 *
 * A look is later than the records that were taken so far, so it may have met a
 * later wait than the one it was for: the records tell. A wait has the
 * place of a look that lay within it, the last of them where data collectors
 * were asked again. A long one of which they told too late has none, unless
 * they told the place of the short waits before it.
 *
 * Where the kernel tells each place as the task leaves the processor
 * (switch-places.h) that is the wait's, exactly: what is said of looks goes
 * for the other waits only, each as if those were all there are.
 *
 * states.c opens and closes waits, after the step clock was advanced to now.
 * Every ns between the two is in one tally: each wait, or part of one that a
 * snapshot has cut, is given to its place, deferred, or missed (its place is
 * not known). Missed ones stay so until the task has waits that were met, or
 * ends: then those of its whole life tell, or those of its program.
 */
#ifndef VIGIL_SAMPLER_WAITS_H
#define VIGIL_SAMPLER_WAITS_H

#include "sampler/file-busy.h"
#include "sampler/switching.h"
#include "sampler/task-waits.h"
#include "sampler/wait-delay.h"
#include "sampler/wait-likes.h"
#include "sampler/wait-tally.h"

struct object;
struct perf;
struct task;
struct tasks;
struct transactions;

/* Of all tasks that execute a program. */
struct program_waits {
	const struct object *image;
	struct wait_likes likes;
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
	struct task **listed; /* tasks that wait, or have waited lately: to be looked at */
	size_t listed_count, listed_alloc;
	struct wait_odds odds; /* of the looks that are made now */
	struct switching switching;
	uint64_t ready; /* ns of this snapshot charged to waits that turned out to be no waits */
	struct program_waits *programs; /* what is known of each program's waits */
	size_t program_count, program_alloc;
};

void waits_init(struct waits *waits, const struct waits_parts *parts);
void waits_release(struct waits *waits);
/* All tasks are forgotten. */
void waits_reset(struct waits *waits);

/* The task begins to wait; preempted: for a processor. */
void waits_open(struct waits *waits, struct task *task, bool preempted);
/* The task is about to leave the processor; should that be to wait, it waits at this place. again:
   it is in the same call as in its last wait. site NULL: it is not leaving, or nobody knows where
   it is. */
void waits_leave(struct task *task, const struct wait_site *site, bool again);
/* The wait is over (ended), or only cut at a snapshot. */
void waits_close(struct waits *waits, struct task *task, bool ended);
/* The task has ended, or the session: short waits without a place stay unknown. */
void waits_end(struct waits *waits, struct task *task);
/* The task executes another program: what it waited for before tells nothing. */
void waits_exec(struct waits *waits, struct task *task);

/* The task was found waiting at a place. */
void waits_locate(struct waits *waits, struct task *task, const struct wait_look *look);
/* The task was found waiting at a place at some random moment of time that nobody watches (duty.h);
   such a look stands for so many ns of waits. */
void waits_glimpsed(struct waits *waits, struct task *task, const struct wait_site *site,
		    uint64_t ns);
/* What a task's waits came to in such time, all together; in part charged to the step. ready: it
   was ready only. The task is in no state. */
void waits_unseen(struct waits *waits, struct task *task, const struct wait_amount *amount,
		  bool ready);
/* Whether the task's last wait may have been a page fault that is over just now. */
bool waits_may_be_fault(const struct waits *waits, const struct task *task);
/* It was one, at a place, for a page of a file (0: of none). */
void waits_fault(struct waits *waits, struct task *task, uint32_t stack, uint64_t file);
/* The task is not to be looked at any more until it waits again. */
void waits_unlist(struct waits *waits, struct task *task);
/* The stack of the task's last known wait; 0 when there is none. */
uint32_t waits_recent_stack(const struct task *task);

/* Rows of the snapshot that ends at time into set; last: nothing may stay behind. */
void waits_rows(struct waits *waits, struct tasks *tasks, uint64_t time, bool last,
		struct recordset *set);

#endif
