/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the waits of the step's tasks. The length of each wait, until the task
 * executes again, is exact, from switch records, less the cost of the switch
 * (switching.h); the part during which the task was only ready is subtracted at
 * snapshots (wait-delay.h). The place is known for the waits that a look saw
 * (wait-looks.h); the other waits of a task are distributed over the places of
 * those, with a variance (wait-estimates.h). The kernel reports the place of a page
 * fault when the fault is over: so the last wait of a task that no look saw is
 * deferred until it is known not to be a page fault.
 *
 * A look is later than the records processed so far, so it may have seen a later
 * wait than the one it was made for: the records decide. A wait has the place of a
 * look within it, the last one where data collectors were asked again. A long wait
 * for which they reported a place too late has none, unless that is also the place
 * of the short waits before it.
 *
 * Where the kernel reports the place each time a task leaves the processor
 * (switch-places.h), the wait has exactly that place. What is said of looks holds
 * for the other waits only, as if they were all there are.
 *
 * states.c opens and closes waits, after the step clock was advanced to now. Every
 * ns in between is in one tally: each wait, or part of one that a snapshot has
 * split, is given to its place, deferred, or missed (its place is not known).
 * Missed ones stay so until looks see waits of the task, or it ends: then the
 * waits of its whole life are used, or those of its program.
 */
#ifndef VIGIL_SAMPLER_WAITS_H
#define VIGIL_SAMPLER_WAITS_H

#include "sampler/file-busy.h"
#include "sampler/switching.h"
#include "sampler/task-waits.h"
#include "sampler/wait-delay.h"
#include "sampler/wait-estimates.h"
#include "sampler/wait-tally.h"

struct object;
struct perf;
struct task;
struct tasks;
struct transactions;

/* Wait statistics of all tasks that execute one program. */
struct program_waits {
	const struct object *image;
	struct wait_estimates likes;
};

/* The parts it uses; all borrowed. */
struct waits_parts {
	struct step_clock *clock;
	struct files *files;
	const struct transactions *transactions; /* a wait has the transaction in force at its
						  * end */
	const struct perf *perf;		 /* whether it reports page faults */
	const enum privilege *privilege;	 /* PROC: only waits that last are seen */
};

struct waits {
	struct waits_parts parts;
	struct file_busy busy;
	struct task **listed; /* tasks that wait, or have waited lately: candidates for looks */
	size_t listed_count, listed_alloc;
	struct wait_odds odds; /* odds of the looks in progress */
	struct switching switching;
	uint64_t ready; /* ns of this snapshot that were charged as waits but were run-queue time */
	struct program_waits *programs; /* wait statistics by program */
	size_t program_count, program_alloc;
};

void waits_init(struct waits *waits, const struct waits_parts *parts);
void waits_release(struct waits *waits);
/* Drops all state; all tasks are forgotten. */
void waits_reset(struct waits *waits);

/* Begins a wait of the task; preempted: for a processor. */
void waits_open(struct waits *waits, struct task *task, bool preempted);
/*
 * Records where the task is as it leaves the processor; if it leaves to wait, the
 * wait has this place. again: same call as its last wait. site NULL: the task does
 * not leave, or its place is unknown.
 */
void waits_leave(struct task *task, const struct wait_site *site, bool again);
/* Returns when the wait in progress began (monotonic). */
uint64_t waits_began(const struct task *task);
/* Ends the wait (ended), or splits it at a snapshot. */
void waits_close(struct waits *waits, struct task *task, bool ended);
/*
 * Withdraws the wait in progress of a task that was taken to be preempted and had a
 * processor: what of it no snapshot has shown yet. executed: its total and solo; what
 * was charged for it becomes the step's execution.
 */
void waits_withdraw(struct waits *waits, struct task *task, struct wait_amount *executed);
/*
 * The task or the session has ended: distributes its missed waits; those for which
 * there is no information remain without a place.
 */
void waits_end(struct waits *waits, struct task *task);
/* The task executes another program: its waits so far no longer say anything about later ones. */
void waits_exec(struct waits *waits, struct task *task);

/* Records the place at which a look found the task waiting. */
void waits_locate(struct waits *waits, struct task *task, const struct wait_look *look);
/*
 * Records that the task was found waiting at a place at a random moment without
 * observation (duty.h); the look stands for ns of waits.
 */
void waits_found_unobserved(struct waits *waits, struct task *task, const struct wait_site *site,
		    uint64_t ns);
/*
 * Adds the sum of a task's waits in such time, part of it charged to the step.
 * ready: it was run-queue time. The task is in no state.
 */
void waits_unseen(struct waits *waits, struct task *task, const struct wait_amount *amount,
		  bool ready);
/* Returns whether the task's last wait may have been a page fault that ended just now. */
bool waits_may_be_fault(const struct waits *waits, const struct task *task);
/* Makes that wait a page fault at a place, for a page of a file; 0: of no file. */
void waits_fault(struct waits *waits, struct task *task, uint32_t stack, uint64_t file);
/* Removes the task from the candidates for looks until it waits again. */
void waits_unlist(struct waits *waits, struct task *task);
/* Returns the stack of the task's last wait whose place is known; 0: none. */
uint32_t waits_recent_stack(const struct task *task);

/* Adds rows of the snapshot that ends at time to set; last: nothing may be held back. */
void waits_rows(struct waits *waits, struct tasks *tasks, uint64_t time, bool last,
		struct recordset *set);

#endif
