/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which tasks are looked at, and looks: the only part that spends time to
 * find out where tasks wait. A look costs some ten microseconds, and more where
 * data collectors are asked, so a round makes only a limited number of looks: the
 * cost grows with the number of rounds, never with the number of tasks.
 *
 * Rounds come at random moments (tick.c). A round looks at tasks that have waited
 * lately (waits.h keeps the list), whatever their last known state is: the records
 * lag behind, and a wait shorter than the lag would never be seen. If there are
 * many such tasks, it looks at a random selection of them, and at some more whose
 * wait has lasted and has no place; again at waits for which a data collector may
 * know more later; and closely at a task of whose waits nothing is known yet. The
 * probability with which a wait is seen is kept with it (struct wait_odds).
 *
 * With /proc alone (PROC) waits are seen only while they last, and looks are made
 * at those that have lasted.
 */
#ifndef VIGIL_SAMPLER_WAIT_LOOKS_H
#define VIGIL_SAMPLER_WAIT_LOOKS_H

#include "program/unwind/unwind.h"
#include "sampler/waits.h"

struct collect;
struct prober;
struct stack_resolver;

/* The parts it uses; all borrowed. */
struct wait_looks_parts {
	struct waits *waits;
	const struct step_clock *clock;
	struct tasks *tasks;
	struct prober *prober;
	const struct perf *perf; /* number of processors, for close looks */
	struct collect *collect; /* NULL: no data collectors */
	struct stack_resolver *resolver;
	struct transactions *transactions;
};

struct wait_looks {
	struct wait_looks_parts parts;
	uint64_t probes;      /* number of looks so far */
	uint64_t round_at;    /* monotonic time of the last round */
	struct wait_gaps gaps; /* last intervals between rounds */
	unsigned rarity;      /* each possible round is made with probability 2^-seldom */
	bool no_close_looks;	      /* no close looks are made */
	uint64_t chance;      /* state of the random number generator, never 0 */
	bool unanswered;      /* there are waits about which data collectors must be asked again */
	bool task_gone;	      /* a look found its task gone; the caller handles and clears this */
	uint64_t next_close, close_pause; /* close looks: active clock of the next one, ns
					   * between two */
	struct task **chosen; /* scratch: candidates of a round */
	size_t chosen_alloc;
	struct unwind_frame frames[UNWIND_MAX_FRAMES]; /* scratch */
};

void wait_looks_init(struct wait_looks *looks, const struct wait_looks_parts *parts);
void wait_looks_release(struct wait_looks *looks);
/*
 * Makes a round. old: ns from which a wait counts as one that lasts; old_only:
 * looks only at those, but at all of them (PROC). Does nothing if the last round
 * was too recent: the records of its looks are not processed yet.
 */
void wait_looks_round(struct wait_looks *looks, uint64_t old, bool old_only);
/* Returns the time until the next round, ns: mean on average, at least half of it. */
uint64_t wait_looks_pause(struct wait_looks *looks, uint64_t mean);

#endif
