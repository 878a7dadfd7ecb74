/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at waiting tasks. */
#include "common/compat.h"
#include "sampler/wait-looks.h"
#include "common/chance.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "sampler/collect.h"
#include "sampler/perf.h"
#include "sampler/probe.h"
#include "sampler/prompt.h"
#include "sampler/stack-resolve.h"
#include "sampler/tasks.h"
#include "step/transactions.h"

#include <math.h>

/* Maximum number of looks in one round: at waits that have lasted, at other tasks. */
#define OLD_A_ROUND 8
#define LOOKS_A_ROUND 4
/* A look that takes longer was interrupted. */
#define LOOK_SLOW (250 * NSEC_PER_USEC)
/*
 * Close looks: maximum duration, minimum and maximum time between two, and number
 * of waits that a task must have had.
 */
#define CLOSE_LOOK (3 * NSEC_PER_MSEC)
#define CLOSE_LOOK_PAUSE (20 * NSEC_PER_MSEC)
#define CLOSE_LOOK_PAUSE_MAX (320 * NSEC_PER_MSEC)
#define CLOSE_LOOK_WAITS 4
/* Maximum number of waits per round about which data collectors are asked again. */
#define ASKED_A_ROUND 64
/* Maximum number of unsuccessful looks at a wait. */
#define LOOK_TRIES 16
/* Minimum time between rounds: by then the records of a look are processed and show what it saw. */
#define ROUND_PAUSE (3 * NSEC_PER_MSEC)
/* How long a task is a candidate after its last wait. */
#define LISTED_FOR NSEC_PER_SEC
/* Maximum pause between rounds, as a multiple of the mean. */
#define PAUSE_MAX_FACTOR 4
/*
 * How often data collectors that had no answer for a wait are asked again, with
 * the first pause, which doubles each time: so a moment at which they cannot read
 * the program does not leave a long wait without its place.
 */
#define ASK_TRIES 8
#define ASK_PAUSE (5 * NSEC_PER_MSEC)

void wait_looks_init(struct wait_looks *looks, const struct wait_looks_parts *parts)
{
	*looks = (struct wait_looks){ .parts = *parts, .chance = clock_monotonic_ns() | 1 };
}

void wait_looks_release(struct wait_looks *looks)
{
	free(looks->chosen);
}

uint64_t wait_looks_pause(struct wait_looks *looks, uint64_t mean)
{
	const uint64_t steps = UINT64_C(1) << 40;
	double chance = ((double)chance_below(&looks->chance, steps) + 1) / (double)steps;
	double pause = (double)mean / 2 * (1 - log(chance));
	double most = (double)mean * PAUSE_MAX_FACTOR;

	return (uint64_t)(pause < most ? pause : most);
}

/* Resolves the stack of a wait that a look found; data collectors provide its transaction too. */
static void resolve(struct wait_looks *looks, struct task *task, const struct probe_site *found,
		    struct resolved_stack *resolved)
{
	const struct wait_looks_parts *parts = &looks->parts;

	stack_resolve_wait(parts->resolver, task, found, looks->frames,
			   prompt_transaction(parts->transactions, task, clock_monotonic_ns()),
			   resolved);
	/* The look is later than the records processed so far. */
	stack_resolve_apply_ahead(parts->resolver, task, resolved);
}

/*
 * After a look at a wait: notes whether data collectors, which had no answer, are
 * asked again if it lasts.
 */
static void note_unanswered(struct wait_looks *looks, struct task *task, bool unanswered)
{
	struct task_looks *own = &task->looks;

	if (task->state != TASK_BLOCKED || !task->waits.current.known)
		return;
	own->unanswered = unanswered && ++own->asked < ASK_TRIES;
	if (own->unanswered)
		own->ask_at = looks->parts.clock->active + (ASK_PAUSE << (own->asked - 1));
	looks->unanswered |= own->unanswered;
}

/* Returns the ns that a look at a random moment stands for: the mean time between two. */
static uint64_t stands_for(const struct wait_looks *looks)
{
	const struct wait_odds *odds = &looks->parts.waits->odds;

	if (!looks->gaps.count || odds->chance <= 0)
		return 0;
	return (uint64_t)((double)looks->gaps.sum / (double)looks->gaps.count / odds->chance);
}

/*
 * Returns whether the look saw the wait in progress; false: this is unobserved
 * time, and it may be any wait.
 */
static bool is_in_progress(const struct wait_looks *looks, const struct task *task)
{
	return !looks->parts.clock->closed ||
	       (task->duty.blocked && task->duty.slices == task->looks.slices);
}

/* Returns the current stack of the task that holds a lock. */
static uint32_t holder_stack(struct wait_looks *looks, struct task *holder)
{
	struct process *process = holder->process;
	struct probe_site found;
	struct resolved_stack resolved;

	if (prober_look(looks->parts.prober, process->space, process->base->pid, holder->base->tid, &found,
			looks->frames) != PROBE_BLOCKED)
		return holder->stack;
	resolve(looks, holder, &found, &resolved);
	return resolved.stack;
}

/*
 * Sets the holder of the lock that a task waits for. A thread that was found in
 * the program's memory must belong to the same process: otherwise it was no lock.
 * For a file lock the kernel reports only the process.
 */
static void set_holder(struct wait_looks *looks, const struct task *task,
		       const struct probe_site *found, struct wait_site *site)
{
	pid_t pid = found->lock_process ? found->lock_process : found->lock_thread;
	struct task *holder = pid ? tasks_task(looks->parts.tasks, pid) : NULL;

	if (found->lock_process)
		site->holder_pid = pid;
	if (!holder || holder == task || holder->state == TASK_ENDED)
		return;
	if (found->lock_process ? holder->process->live > 1 : holder->process != task->process)
		return;
	site->holder = holder->base->id;
	site->holder_pid = pid;
	site->holder_stack = holder_stack(looks, holder);
}

/*
 * Returns whether it is unclear which wait a look saw: it took so long, because
 * others had the processor, that the task may since have waited elsewhere, and the
 * task has executed since it was chosen.
 */
static bool is_doubtful(const struct task *task, uint64_t from)
{
	struct procfs_schedule schedule;

	return clock_monotonic_ns() - from > LOOK_SLOW &&
	       procfs_schedule(task->process->base->pid, task->base->tid, &schedule) &&
	       schedule.slices != task->looks.slices;
}

/* Looks at a task; returns false if it was running, or if nothing was found out. */
static bool look_at(struct wait_looks *looks, struct task *task)
{
	struct process *process = task->process;
	uint64_t from = clock_monotonic_ns();
	struct probe_site found;
	struct resolved_stack resolved;
	struct wait_look look;

	looks->probes++;
	switch (prober_look(looks->parts.prober, process->space, process->base->pid, task->base->tid, &found,
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
	if (is_doubtful(task, from))
		return false;
	resolve(looks, task, &found, &resolved);
	look = (struct wait_look){
		.site = { .stack = resolved.stack,
			  .reason = found.reason,
			  .file = found.file,
			  .syscall = found.syscall },
		.from = from,
		.until = clock_monotonic_ns(),
		.by_collectors = resolved.asked,
	};
	if (look.site.reason == WAIT_LOCK)
		set_holder(looks, task, &found, &look.site);
	if (!is_in_progress(looks, task)) {
		waits_found_unobserved(looks->parts.waits, task, &look.site, stands_for(looks));
		return true;
	}
	waits_locate(looks->parts.waits, task, &look);
	note_unanswered(looks, task, resolved.unanswered);
	return true;
}

/*
 * Looks again at waits for which data collectors had no answer yet: at some of
 * them in a round, and not while the session is suspended.
 */
static void ask_again(struct wait_looks *looks)
{
	unsigned count = 0;

	if (!looks->unanswered || looks->parts.clock->paused || looks->parts.clock->closed)
		return;
	looks->unanswered = false;
	for (struct task *task = looks->parts.tasks->all; task; task = task->next) {
		if (task->state != TASK_BLOCKED || !task->waits.current.known ||
		    !task->looks.unanswered)
			continue;
		if (looks->parts.clock->active < task->looks.ask_at) {
			looks->unanswered = true;
			continue;
		}
		if (count++ == ASKED_A_ROUND) {
			looks->unanswered = true;
			return;
		}
		look_at(looks, task);
	}
}

/*
 * Returns whether a later look would find out more, because data collectors are
 * still being loaded, or do not work while the session is suspended.
 */
static bool is_early(struct wait_looks *looks, struct task *task)
{
	if (looks->parts.clock->paused)
		return collect_wants(looks->parts.collect, task->process);
	return collect_loads(looks->parts.collect, task->process);
}

/* Returns whether a task's wait has lasted and its place is unknown. */
static bool is_old(const struct wait_looks *looks, const struct task *task, uint64_t old)
{
	return task->state == TASK_BLOCKED && !task->waits.current.known &&
	       looks->parts.clock->active - task->waits.current.began >= old;
}

/* Removes tasks from the list that have not waited for long. */
static void unlist_quiet(struct wait_looks *looks)
{
	struct waits *waits = looks->parts.waits;

	for (size_t i = waits->listed_count; i-- > 0;) {
		struct task *task = waits->listed[i];

		if (looks->parts.clock->active - task->waits.waited_at > LISTED_FOR &&
		    (task->state != TASK_BLOCKED || task->waits.current.known))
			waits_unlist(waits, task);
	}
}

/*
 * Puts the candidates of a round into chosen: tasks whose waits have lasted and
 * have no place (old_ones), or all others. Returns their number.
 */
static size_t choose_tasks(struct wait_looks *looks, uint64_t old, bool old_ones)
{
	const struct waits *waits = looks->parts.waits;
	size_t count = 0;

	GROW(looks->chosen, waits->listed_count, looks->chosen_alloc);
	for (size_t i = 0; i < waits->listed_count; i++) {
		struct task *task = waits->listed[i];

		if (is_old(looks, task, old) == old_ones &&
		    (!old_ones || task->looks.failed_looks < LOOK_TRIES) && !is_early(looks, task))
			looks->chosen[count++] = task;
	}
	return count;
}

/*
 * Returns whether a task whose wait has a place has not executed since the last
 * look: there is nothing new.
 */
static bool waits_still(struct wait_looks *looks, struct task *task)
{
	struct waits *waits = looks->parts.waits;
	struct procfs_schedule schedule;
	uint64_t before = task->looks.slices;

	if (!procfs_schedule(task->process->base->pid, task->base->tid, &schedule))
		return false;
	task->looks.slices = schedule.slices;
	if (task->state == TASK_BLOCKED && !looks->parts.clock->closed)
		switching_look(&waits->switching, waits->parts.clock, task, &schedule);
	return task->state == TASK_BLOCKED && task->waits.current.known && before == schedule.slices;
}

/* Looks at a random selection of the candidates, at most most of them. */
static void look_at_some(struct wait_looks *looks, size_t count, size_t most)
{
	for (size_t i = 0; i < count && i < most; i++) {
		size_t other = i + chance_below(&looks->chance, count - i);
		struct task *task = looks->chosen[other];

		looks->chosen[other] = looks->chosen[i];
		looks->chosen[i] = task;
		if (waits_still(looks, task))
			continue;
		task->looks.failed_looks++;
		look_at(looks, task);
	}
}

/* Returns whether a task has missed waits and the place of none of its waits is known. */
static bool knows_nothing(const struct task *task)
{
	const struct task_waits *waits = &task->waits;
	uint64_t count = waits->deferred.count;

	if (waits->likes.count || waits->all_estimates.count || waits->current.known || waits->last_look.look.until)
		return false;
	for (size_t i = 0; i < waits->missed.count; i++)
		count += waits->missed.items[i].amount.count;
	return count >= CLOSE_LOOK_WAITS;
}

/*
 * Looks at a task of whose waits nothing is known repeatedly for a while: they are
 * so short that a round hardly ever sees one, and the step may end soon. As this
 * may take much of a processor, it is done rarely, less and less often while it
 * finds nothing, and only if the task has another processor to run on. It sees the
 * next wait of any length, which is a biased selection, but all there is until a
 * round sees others.
 */
static void look_closely(struct wait_looks *looks)
{
	const struct waits *waits = looks->parts.waits;
	uint64_t now = looks->parts.clock->active, until = clock_monotonic_ns() + CLOSE_LOOK;
	struct task *task = NULL;
	bool found;

	if (now < looks->next_close || looks->parts.perf->cpu_count < 2 ||
	    looks->parts.clock->closed || looks->no_close_looks)
		return;
	for (size_t i = 0; i < waits->listed_count && !task; i++)
		if (knows_nothing(waits->listed[i]) && !is_early(looks, waits->listed[i]))
			task = waits->listed[i];
	if (!task)
		return;
	do
		found = look_at(looks, task);
	while (!found && clock_monotonic_ns() < until);
	if (found || looks->close_pause < CLOSE_LOOK_PAUSE)
		looks->close_pause = CLOSE_LOOK_PAUSE;
	else if (looks->close_pause < CLOSE_LOOK_PAUSE_MAX)
		looks->close_pause *= 2;
	looks->next_close = now + looks->close_pause;
}

/* Returns the probability of each of count candidates if at most most are looked at. */
static double chance_of(size_t count, size_t most)
{
	return count > most ? (double)most / (double)count : 1;
}

void wait_looks_round(struct wait_looks *looks, uint64_t old, bool old_only)
{
	uint64_t now = clock_monotonic_ns(), passed = now - looks->round_at;
	struct wait_odds *odds = &looks->parts.waits->odds;
	size_t count, old_count;

	if (!old_only && passed < ROUND_PAUSE)
		return;
	if (!old_only && looks->rarity && chance_below(&looks->chance, UINT64_C(1) << looks->rarity))
		return;
	if (looks->round_at && !old_only)
		wait_gaps_add(&looks->gaps, passed);
	looks->round_at = now;
	unlist_quiet(looks);
	old_count = choose_tasks(looks, old, true);
	count = old_only ? 0 : choose_tasks(looks, old, false);
	*odds = (struct wait_odds){
		.gaps = old_only ? NULL : &looks->gaps,
		.chance = chance_of(count, LOOKS_A_ROUND),
		.old = old,
		.old_chance = chance_of(old_count, OLD_A_ROUND),
	};
	ask_again(looks);
	look_at_some(looks, count, LOOKS_A_ROUND);
	old_count = choose_tasks(looks, old, true);
	look_at_some(looks, old_count, old_only ? old_count : OLD_A_ROUND);
	if (!old_only)
		look_closely(looks);
}
