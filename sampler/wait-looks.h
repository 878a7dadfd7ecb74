/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides when a task is looked at, and looks: the one place that spends time
 * on finding out where tasks wait. A look costs some ten microseconds and more
 * where data collectors are asked, so a tick has room for some only.
 *
 * Looked at are tasks whose waits have no place (waits.h keeps the list): once
 * a wait has lasted, or at once while nothing is known of the task; tasks whose
 * waits all are too short for a tick to meet them, closely and seldom; and
 * waits of which a data collector may have more to say later.
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
	const struct transactions *transactions;
};

struct wait_looks {
	struct wait_looks_parts parts;
	uint64_t probes; /* all looks so far */
	uint64_t rounds; /* calls of wait_looks_round */
	bool unanswered; /* there are waits that data collectors are to be asked about again */
	bool task_gone;	 /* a look found its task gone; the caller takes this */
	uint64_t next_close, close_pause;	       /* of close looks: active clock, ns */
	struct unwind_frame frames[UNWIND_MAX_FRAMES]; /* scratch */
};

void wait_looks_init(struct wait_looks *looks, const struct wait_looks_parts *parts);
/* At each tick: look at waits that last and have no place yet. age: ns from which a wait is looked
   at. */
void wait_looks_round(struct wait_looks *looks, uint64_t age);

#endif
