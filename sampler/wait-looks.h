/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which tasks are looked at, and looks: the one place that spends time
 * on finding out where tasks wait. A look costs some ten microseconds and more
 * where data collectors are asked, so a round has room for some only, and cost
 * grows with the rounds, never with the tasks.
 *
 * Rounds come at random moments (tick.c). One looks at tasks that have waited
 * lately (waits.h keeps the list), whatever they do now as far as is known: the
 * records lag behind, and a wait shorter than that would never be met. Where
 * they are many it looks at some, by chance; at some more whose wait has lasted
 * and has no place; again at waits of which a data collector may have more to
 * say later; and closely at a task of whose waits nothing is known yet. How likely it was to meet a wait is kept with it (struct
 * wait_odds).
 *
 * With /proc alone (PROC) waits are seen only while they last, and those that
 * have lasted are looked at.
 */
#ifndef VIGIL_SAMPLER_WAIT_LOOKS_H
#define VIGIL_SAMPLER_WAIT_LOOKS_H

#include "program/unwind/unwind.h"
#include "sampler/waits.h"

struct collect;
struct prober;
struct stack_resolver;

/* What it works on; all borrowed. */
struct wait_looks_parts {
	struct waits *waits;
	const struct step_clock *clock;
	struct tasks *tasks;
	struct prober *prober;
	const struct perf *perf; /* how many processors there are for close looks */
	struct collect *collect; /* NULL: there are no data collectors */
	struct stack_resolver *resolver;
	struct transactions *transactions;
};

struct wait_looks {
	struct wait_looks_parts parts;
	uint64_t probes;      /* all looks so far */
	uint64_t round_at;    /* monotonic time of the last round */
	struct wait_gaps gaps; /* from round to round lately */
	unsigned seldom;      /* a round is made every 2^seldom-th time it could be, by chance */
	bool sparing;	      /* no close looks are made */
	uint64_t chance;      /* state of the random numbers, never 0 */
	bool unanswered;      /* there are waits that data collectors are to be asked about again */
	bool task_gone;	      /* a look found its task gone; the caller takes this */
	uint64_t next_close, close_pause; /* of close looks: active clock, ns */
	struct task **chosen; /* scratch: tasks of a round */
	size_t chosen_alloc;
	struct unwind_frame frames[UNWIND_MAX_FRAMES]; /* scratch */
};

void wait_looks_init(struct wait_looks *looks, const struct wait_looks_parts *parts);
void wait_looks_release(struct wait_looks *looks);
/*
 * A round. old: ns from which a wait counts as one that lasts; old_only: no others are looked at, but all of them (PROC). A
 * round that comes too soon after the last does nothing: the records of that one are not taken yet.
 */
void wait_looks_round(struct wait_looks *looks, uint64_t old, bool old_only);
/* The time until the next round, ns: mean on average, half of it at least. */
uint64_t wait_looks_pause(struct wait_looks *looks, uint64_t mean);

#endif
