/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at waiting tasks. */
#include "common/compat.h"
#include "sampler/wait-looks.h"
#include "common/clock.h"
#include "sampler/collect.h"
#include "sampler/perf.h"
#include "sampler/probe.h"
#include "sampler/stack-resolve.h"
#include "sampler/tasks.h"
#include "sampler/transactions.h"

#define LOOKS_A_ROUND 64
#define LOOK_TRIES 4
/* Data collectors that had no answer to a wait are asked again so often, each time after twice the
   pause: a moment in which they cannot read the program leaves no long wait without its place. */
#define ASK_TRIES 8
#define ASK_PAUSE (5 * NSEC_PER_MSEC)
/* After so many looks that found a task running it is looked at more rarely. */
#define FUTILE_MAX 64
#define FUTILE_PAUSE 16 /* rounds */
/* How long a close look at short waits takes at most, and the time from one to the next. */
#define CLOSE_LOOK (3 * NSEC_PER_MSEC)
#define CLOSE_LOOK_PAUSE (20 * NSEC_PER_MSEC)
#define CLOSE_LOOK_PAUSE_MAX (320 * NSEC_PER_MSEC)
/* So many new short waits are worth one. */
#define CLOSE_LOOK_WAITS 4
/* How often the place of short waits is looked up anew. */
#define RECENT_FOR (100 * NSEC_PER_MSEC)

void wait_looks_init(struct wait_looks *looks, const struct wait_looks_parts *parts)
{
	looks->parts = *parts;
	looks->probes = looks->rounds = 0;
	looks->unanswered = looks->task_gone = false;
	looks->next_close = looks->close_pause = 0;
}

/* The stack of a wait that was looked at; data collectors name its transaction too. */
static void resolve(struct wait_looks *looks, struct task *task, const struct probe_site *found,
		    struct resolved_stack *resolved)
{
	const struct wait_looks_parts *parts = &looks->parts;

	stack_resolve_wait(parts->resolver, task, found, looks->frames,
			   transactions_of(parts->transactions, task->tid), resolved);
	stack_resolve_apply(parts->resolver, task, resolved, parts->clock->now);
}

/* A wait was looked at: ask data collectors that had no answer again at the next tick, should it
   last. */
static void note_unanswered(struct wait_looks *looks, struct task *task, bool unanswered)
{
	struct wait_going_on *going = &task->waits.going;

	if (task->state != TASK_BLOCKED || !going->known)
		return;
	going->unanswered = unanswered && ++going->asked < ASK_TRIES;
	if (going->unanswered)
		going->ask_at = looks->parts.clock->active + (ASK_PAUSE << (going->asked - 1));
	looks->unanswered |= going->unanswered;
}

/* Look at a task; false when it was found running. */
static bool look_at(struct wait_looks *looks, struct task *task)
{
	struct process *process = task->process;
	uint64_t from = clock_monotonic_ns();
	struct probe_site found;
	struct resolved_stack resolved;
	struct wait_site site;

	looks->probes++;
	switch (prober_look(looks->parts.prober, process->space, process->pid, task->tid, &found,
			    looks->frames)) {
	case PROBE_RUNNING:
		return false;
	case PROBE_GONE:
		looks->task_gone = true;
		return true;
	case PROBE_BLOCKED:
	case PROBE_REFUSED:
		break;
	}
	resolve(looks, task, &found, &resolved);
	site = (struct wait_site){
		.stack = resolved.stack,
		.reason = found.reason,
		.file = found.file,
		.syscall = found.syscall,
	};
	waits_locate(looks->parts.waits, task, &site, from, clock_monotonic_ns());
	if (resolved.asked)
		waits_told(task);
	note_unanswered(looks, task, resolved.unanswered);
	return true;
}

/* Look once more at waits of which data collectors had nothing to say yet: at some of them in a
   tick, and not while the session is suspended. */
static void ask_again(struct wait_looks *looks)
{
	unsigned count = 0;

	if (!looks->unanswered || looks->parts.clock->paused)
		return;
	looks->unanswered = false;
	for (struct task *task = looks->parts.tasks->all; task; task = task->next) {
		if (task->state != TASK_BLOCKED || !task->waits.going.known ||
		    !task->waits.going.unanswered)
			continue;
		if (looks->parts.clock->active < task->waits.going.ask_at) {
			looks->unanswered = true;
			continue;
		}
		if (count++ == LOOKS_A_ROUND) {
			looks->unanswered = true;
			return;
		}
		look_at(looks, task);
	}
}

/* Whether a look now would find out less than a later one, for want of data collectors: they are
   being loaded, or have nothing to do while the session is suspended. */
static bool is_early(struct wait_looks *looks, struct task *task)
{
	if (looks->parts.clock->paused)
		return collect_wants(looks->parts.collect, task->process);
	return collect_loads(looks->parts.collect, task->process);
}

/* Whether a task on the list is to be looked at now. */
static bool wants_look(struct wait_looks *looks, struct task *task, uint64_t age)
{
	uint64_t now = looks->parts.clock->active;

	if (is_early(looks, task))
		return false;
	if (!task->waits.recent_at && task->waits.futile < FUTILE_MAX)
		return true;
	if (task->state != TASK_BLOCKED || task->waits.going.known)
		return false;
	/* Whatever was in vain before, a wait that lasts is another. */
	if (now - task->waits.going.began >= age && task->waits.going.looks < LOOK_TRIES)
		return true;
	return (now - task->waits.going.began >= age || now - task->waits.recent_at > RECENT_FOR) &&
	       (task->waits.futile < FUTILE_MAX || looks->rounds % FUTILE_PAUSE == 0);
}

/*
 * Look at a task again and again for a while: its waits are so short that a
 * tick hardly ever meets one. This may take so much of a processor that it is
 * done seldom, and more seldom the longer it finds nothing, and only where the
 * task has another processor to run on.
 */
static void look_closely(struct wait_looks *looks, struct task *task)
{
	uint64_t now = looks->parts.clock->active, until = clock_monotonic_ns() + CLOSE_LOOK;
	bool found;

	if (now < looks->next_close || looks->parts.perf->cpu_count < 2)
		return;
	do
		found = look_at(looks, task);
	while (!found && clock_monotonic_ns() < until);
	task->waits.looked_closely = task->waits.pending.count;
	if (found || looks->close_pause < CLOSE_LOOK_PAUSE)
		looks->close_pause = CLOSE_LOOK_PAUSE;
	else if (looks->close_pause < CLOSE_LOOK_PAUSE_MAX)
		looks->close_pause *= 2;
	looks->next_close = now + looks->close_pause;
}

/* Short waits without a place since the last close look. */
static uint64_t new_pending(const struct task *task)
{
	uint64_t count = task->waits.pending.count;

	if (task->state == TASK_BLOCKED && task->waits.going.known)
		return 0; /* what it waits for now is none of them */
	return count > task->waits.looked_closely ? count - task->waits.looked_closely : 0;
}

/* The task with the most of them; NULL when none has enough. */
static struct task *most_pending(struct wait_looks *looks)
{
	struct task *most = NULL;
	uint64_t count = CLOSE_LOOK_WAITS - 1;

	for (struct task *task = looks->parts.waits->unknown; task;
	     task = task->waits.next_unknown) {
		if (new_pending(task) <= count || is_early(looks, task))
			continue;
		most = task;
		count = new_pending(task);
	}
	return most;
}

/* Look at one task on the list: short waits come and go, one of a few looks meets one. Returns how
   many there were. */
static unsigned look_tries(struct wait_looks *looks, struct task *task)
{
	unsigned tries = 0;

	task->waits.going.looks++;
	while (tries++ < LOOK_TRIES) {
		if (look_at(looks, task) || task->waits.pending.count == 0)
			return tries;
		task->waits.futile++;
	}
	return LOOK_TRIES;
}

/* Look at those on the list that want it, as many as there is room for. */
static void look_at_unknown(struct wait_looks *looks, uint64_t age)
{
	struct task *next;
	unsigned count = 0;

	for (struct task *task = looks->parts.waits->unknown; task && count < LOOKS_A_ROUND;
	     task = next) {
		next = task->waits.next_unknown;
		if (wants_look(looks, task, age))
			count += look_tries(looks, task);
	}
}

/* Take tasks off the list that do not wait and of which nothing came after many looks. */
static void unlist_futile(struct wait_looks *looks)
{
	struct task *next;

	for (struct task *task = looks->parts.waits->unknown; task; task = next) {
		next = task->waits.next_unknown;
		if (task->waits.futile >= FUTILE_MAX && task->state != TASK_BLOCKED &&
		    task->waits.pending.count == 0)
			waits_unlist(task);
	}
}

void wait_looks_round(struct wait_looks *looks, uint64_t age)
{
	struct task *pending;

	ask_again(looks);
	look_at_unknown(looks, age);
	pending = most_pending(looks);
	if (pending)
		look_closely(looks, pending);
	unlist_futile(looks);
	looks->rounds++;
}
