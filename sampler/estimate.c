/* SPDX-License-Identifier: Apache-2.0 */
/* Makes samples for CPU time that none stands for. */
#include "common/compat.h"
#include "sampler/estimate.h"
#include "common/clock.h"
#include "records/record-types.h"
#include "sampler/kernel-looks.h"
#include "sampler/query.h"
#include "sampler/residue.h"
#include "sampler/sample-ledger.h"
#include "sampler/short-tasks.h"
#include "sampler/stacks.h"
#include "sampler/stolen.h"
#include "sampler/tasks.h"
#include "sampler/waits.h"
#include "step/transactions.h"

/* Maximum number of missing samples that wait for the next sample to show their place. */
#define DEFERRED_MAX 64
/*
 * Samples that one task can have missed at once: a quarter of an hour of CPU time at
 * the highest rate of usual sessions. More of them are a clock that was read wrongly.
 */
#define MISSED_MAX 1000000
/*
 * Number of periods by which a residue's rest varies while positions are drawn at
 * random (short-tasks.h).
 */
#define LOTS_BOUND 4
/*
 * Number of periods that short tasks must have used before they show where their
 * program uses its time.
 */
#define SHOWN_PERIODS 16
/* Maximum number of periods for which the time of unseen tasks is held. */
#define HELD_PERIODS 64
/*
 * Maximum time of the kernel's work at a task's end once its events are gone, and
 * at a switch. On a virtual machine whose page tables the host shadows, 550 us
 * were seen at the end of a small process.
 */
#define END_MAX (1000 * NSEC_PER_USEC)
#define SWITCH_MAX (5 * NSEC_PER_USEC)

/*
 * Minimum time without samples of which the system is asked whether the task executed in
 * it: a hypervisor takes a processor for longer.
 */
#define GAP (10 * NSEC_PER_MSEC)

/* Minimum length of a wait before which missing time is placed at once. */
#define LONG_WAIT (100 * NSEC_PER_MSEC)

void estimate_init(struct estimate *estimate, const struct estimate_parts *parts)
{
	*estimate = (struct estimate){ .parts = *parts };
}

/* Returns the flags of a sample whose stack was constructed. */
static unsigned estimate_flags(const struct estimate *estimate, uint32_t stack)
{
	const struct stacks *stacks = estimate->parts.stacks;

	if (stacks_is_whole(stacks, stack))
		return 0;
	return stacks_is_truncated(stacks, stack) ? SAMPLE_CUT : SAMPLE_BROKEN;
}

/* Returns the ns that a task executed alone beyond its samples with SAMPLE_SOLO. */
static int64_t solo_left(const struct estimate *estimate, const struct task *task)
{
	uint64_t solo = task->cpu_solo;

	if (task->state == TASK_RUNNING && *estimate->parts.privilege != PRIVILEGE_PROC)
		solo += estimate->parts.clock->run_alone - task->run_alone;
	return (int64_t)solo - (int64_t)(task->samples.solo * estimate->parts.ledger->period);
}

/* Returns SAMPLE_SOLO for a constructed sample if that much time alone is left, else 0. */
static unsigned solo_flag(const struct estimate *estimate, int64_t left)
{
	return left >= (int64_t)(estimate->parts.ledger->period / 2) ? SAMPLE_SOLO : 0;
}

/* Returns the ns that a task was on a processor. */
static uint64_t used_by(const struct estimate *estimate, const struct task *task)
{
	uint64_t cpu = task->cpu;

	if (task->state == TASK_RUNNING && !task->duty.unsure &&
	    *estimate->parts.privilege != PRIVILEGE_PROC)
		cpu += estimate->parts.clock->active - task->since;
	return cpu;
}

/* Returns the ns of CPU time beyond samples and credit; may be negative. */
static int64_t unaccounted(const struct estimate *estimate, const struct task *task)
{
	return (int64_t)used_by(estimate, task) - sample_ledger_stands_for(estimate->parts.ledger, task);
}

/* Returns the stack on which the kernel executed for a task. */
static uint32_t kernel_stack(const struct estimate *estimate, const struct task *task,
			     uint32_t caller)
{
	struct stacks *stacks = estimate->parts.stacks;
	const struct object *kernel =
		object_for_kind(stacks->objects, OBJECT_KERNEL, task->process->base->pid, 0, 0);

	return stacks_push(stacks, caller, stacks_frame(stacks, kernel, 0, task->process->base->pid));
}

/*
 * Returns whether a period without a sample was taken by a hypervisor: then no
 * sample is made for it.
 */
static bool is_stolen(struct estimate *estimate, struct task *task)
{
	const struct estimate_parts *parts = &estimate->parts;
	uint64_t used = parts->tasks->cpu;

	if (*parts->privilege == PRIVILEGE_PROC)
		return false;
	if (task->state == TASK_RUNNING)
		used += parts->clock->active - task->since;
	stolen_look(parts->stolen, used, false);
	return stolen_takes(parts->stolen, parts->ledger->period);
}

/* Adds one that was missed at a time, called from caller, in a transaction. */
static void add_one_missed(struct estimate *estimate, struct task *task, uint64_t time, uint32_t caller,
			   uint64_t transaction)
{
	bool in_kernel = *estimate->parts.privilege != PRIVILEGE_FULL || !caller;
	uint32_t stack = in_kernel ? kernel_stack(estimate, task, caller) : caller;

	if (is_stolen(estimate, task)) {
		task->samples.stolen += estimate->parts.ledger->period;
		return;
	}
	sample_ledger_add_in(estimate->parts.ledger, task, time, stack, in_kernel ? SAMPLE_KERNEL_ESTIMATED : SAMPLE_RESIDUE,
			     estimate_flags(estimate, stack) | solo_flag(estimate, solo_left(estimate, task)), transaction);
}

/* Returns the time of one of count samples that are missing up to time. */
static uint64_t missed_at(const struct estimate *estimate, const struct task *task, uint64_t time, int64_t count)
{
	uint64_t back = (uint64_t)count * estimate->parts.ledger->period;

	return time > task->base->start + back ? time - back : time;
}

/*
 * Leaves out count periods that a task missed in succession for the moment, if it may be
 * that a hypervisor took them; returns whether it is so. Asks the system what the task
 * has executed, and that is more than it had executed at time. Call after is_stolen.
 */
static bool begin_gap(struct estimate *estimate, struct task *task, int64_t count, uint32_t caller, uint64_t time,
		      uint64_t transaction)
{
	const struct estimate_parts *parts = &estimate->parts;
	int64_t length = count * (int64_t)parts->ledger->period, lacking;
	struct procfs_schedule executed;
	uint64_t now;

	if (*parts->privilege == PRIVILEGE_PROC || task->state == TASK_ENDED || task->gap.length ||
	    length < (int64_t)GAP || !parts->stolen->machine ||
	    !procfs_schedule(task->process->base->pid, task->base->tid, &executed))
		return false;
	now = clock_monotonic_ns();
	executed.cpu -= executed.cpu < task->waits.delay.executed ? executed.cpu : task->waits.delay.executed;
	lacking = (int64_t)used_by(estimate, task) - (int64_t)executed.cpu - (int64_t)task->samples.stolen;
	if (now > time)
		lacking += (int64_t)(now - time);
	RETURN_IF(2 * lacking < length, false);
	task->gap = (struct task_gap){
		.length = (uint64_t)length,
		.executed = executed.cpu,
		.asked_at = now,
		.time = time,
		.transaction = transaction,
		.caller = caller,
	};
	task->samples.stolen += (uint64_t)length;
	return true;
}

/*
 * A task was seen at time, or (all) has been for the last time: if that is after the
 * system was asked, adds samples for the part of its gap that was not stolen. The first
 * sample after that comes within a period.
 */
static void end_gap(struct estimate *estimate, struct task *task, uint64_t time, bool all)
{
	const struct estimate_parts *parts = &estimate->parts;
	const struct task_gap gap = task->gap;
	uint64_t period = parts->ledger->period, since = time > gap.asked_at ? time - gap.asked_at : 0, lost = 0;
	int64_t used = (int64_t)used_by(estimate, task), lacking;

	if (!gap.length || (!since && !all))
		return;
	task->gap.length = 0;
	task->samples.stolen -= gap.length;
	lacking = used - (int64_t)(since < period ? since : period) - (int64_t)gap.executed - (int64_t)task->samples.stolen;
	if (lacking > (int64_t)gap.length)
		lacking = (int64_t)gap.length;
	if (lacking >= (int64_t)period) {
		stolen_look(parts->stolen, parts->tasks->cpu + (uint64_t)used - task->cpu, true);
		lost = stolen_take(parts->stolen, (uint64_t)lacking / period * period);
		task->samples.stolen += lost;
	}
	for (int64_t count = (int64_t)((gap.length - lost) / period); count > 0; count--)
		add_one_missed(estimate, task, missed_at(estimate, task, gap.time, count), gap.caller, gap.transaction);
}

/*
 * Adds count samples that were missed up to time: where and when looks saw the task, or
 * else called from caller, in a transaction. What was stolen is left out, as far as is known.
 */
static void add_missed_in(struct estimate *estimate, struct task *task, int64_t count, uint32_t caller,
			  uint64_t time, uint64_t transaction)
{
	if (count > MISSED_MAX)
		count = MISSED_MAX;
	for (int64_t done = 0; done < count; done++) {
		const struct kernel_place *place;

		if (done == 1 && begin_gap(estimate, task, count - 1, caller, time, transaction))
			return;
		place = kernel_looks_place(task, time, (uint64_t)done, (uint64_t)count);
		if (place)
			add_one_missed(estimate, task, place->time, place->stack, place->transaction);
		else
			add_one_missed(estimate, task, missed_at(estimate, task, time, count - done), caller, transaction);
	}
}

/* Does so in the transaction in force now. */
static void add_missed(struct estimate *estimate, struct task *task, int64_t count, uint32_t caller,
		       uint64_t time)
{
	add_missed_in(estimate, task, count, caller, time,
		      transactions_of(estimate->parts.ledger->transactions, task->base->tid));
}

/*
 * Returns the place of what a task missed between its last sample and a new one: their
 * common callers and, where they diverge, one call further into one or the other, in
 * turn, but not into one of which data collectors were asked in vain (unsaid: the new one)
 * while the other is known. If the last sample's place is not known it is that of the new
 * one.
 */
static uint32_t place_before(const struct estimate *estimate, const struct task *task, uint32_t after, bool unsaid)
{
	const struct stacks *stacks = estimate->parts.stacks;
	uint32_t before = task->stack;
	bool is_after = estimate->parts.ledger->taken & 1;

	if (!before || task->stack_is_old || task->stack_is_past)
		return after;
	if (unsaid != task->stack_unsaid)
		is_after = task->stack_unsaid;
	return stacks_below(stacks, stacks_common(stacks, before, after), is_after ? after : before);
}

/* Places missing time where looks saw the task; returns false if they know nothing of it. */
static bool place_by_looks(struct estimate *estimate, struct task *task, int64_t missing, uint64_t time)
{
	struct kernel_looks *looks = estimate->parts.looks;
	int64_t count = looks ? kernel_looks_close(looks, task, time, missing, estimate->parts.ledger->period) : -1;

	if (count > 0)
		add_missed(estimate, task, count, task->stack, time);
	return count >= 0;
}

void estimate_before(struct estimate *estimate, struct task *task, const struct resolved_stack *seen, uint64_t time)
{
	int64_t period = (int64_t)estimate->parts.ledger->period, missing, count;

	end_gap(estimate, task, time, false);
	/* The new sample is not counted yet. */
	missing = unaccounted(estimate, task) - period;
	count = missing / period;
	if (place_by_looks(estimate, task, missing, time))
		return;
	if (count > 0)
		add_missed(estimate, task, count, place_before(estimate, task, seen->stack, seen->unanswered), time);
}

bool estimate_pass(struct estimate *estimate, struct task *task, uint64_t time)
{
	int64_t missing;

	end_gap(estimate, task, time, false);
	missing = unaccounted(estimate, task);
	if (*estimate->parts.privilege != PRIVILEGE_USER || missing < (int64_t)estimate->parts.ledger->period)
		return false;
	return !place_by_looks(estimate, task, missing, time);
}

void estimate_place(struct estimate *estimate, struct task *task, uint32_t stack, uint64_t time)
{
	int64_t count = unaccounted(estimate, task) / (int64_t)estimate->parts.ledger->period;

	add_missed(estimate, task, count, place_before(estimate, task, stack, false), time);
}

uint32_t estimate_stack(const struct estimate *estimate, const struct task *task)
{
	const struct process *process = task->process;
	struct stacks *stacks = estimate->parts.stacks;
	uint32_t stack;

	if (task->stack)
		return task->stack;
	if (process->residue && (stack = residue_get(process->residue)))
		return stack;
	/* With /proc alone the places of waits say nothing about where it executes. */
	if (*estimate->parts.privilege != PRIVILEGE_PROC && (stack = waits_recent_stack(task)))
		return stack;
	if (!process->image)
		return kernel_stack(estimate, task, 0);
	return stacks_push(stacks, 0, stacks_frame(stacks, process->image, 0, process->base->pid));
}

/* Returns whether the rest of a task's time is the kernel's: all else could be sampled. */
static bool is_rest_of_kernel(const struct estimate *estimate, const struct task *task)
{
	return *estimate->parts.privilege == PRIVILEGE_USER && task->short_task.finer;
}

/*
 * Returns whether this is a short task observed without privilege, so that the
 * rest of its time is the kernel's.
 */
static bool is_short_of_user(const struct estimate *estimate, const struct task *task)
{
	return is_rest_of_kernel(estimate, task) &&
	       short_tasks_at_begin(estimate->parts.short_tasks, task);
}

void estimate_settle(struct estimate *estimate, struct task *task, uint64_t time, bool all)
{
	struct kernel_looks *looks = *estimate->parts.privilege == PRIVILEGE_USER ? estimate->parts.looks : NULL;
	int64_t period = (int64_t)estimate->parts.ledger->period, count;

	end_gap(estimate, task, time, all);
	/* The next sample would have come within a period. */
	count = unaccounted(estimate, task) / period - 1;
	if (looks && !all)
		count -= (int64_t)kernel_looks_held(looks, task, time) / period;
	if (count <= (all ? 0 : DEFERRED_MAX))
		return;
	add_missed(estimate, task, count,
		   is_short_of_user(estimate, task) ? 0 : estimate_stack(estimate, task), time);
	if (looks)
		kernel_looks_settled(looks, task, time, (uint64_t)count, (uint64_t)period);
}

/* Returns whether it is known where a task was up to time, since it has waited for long. */
static bool is_place_known(const struct task *task, uint64_t time)
{
	return (task->stack && !task->stack_is_past) || kernel_looks_saw(task, time);
}

void estimate_wait(struct estimate *estimate, struct task *task, uint64_t since, uint64_t now)
{
	const uint64_t period = estimate->parts.ledger->period;
	int64_t count = unaccounted(estimate, task) / (int64_t)period;

	if (*estimate->parts.privilege == PRIVILEGE_PROC || now < since + LONG_WAIT)
		return;
	/* Where the kernel is sampled the next sample stands for the last period. */
	if (*estimate->parts.privilege == PRIVILEGE_FULL)
		count--;
	if (count > 0) {
		if (!is_place_known(task, since) || is_short_of_user(estimate, task))
			return;
		/* Looks at the wait may have shown another transaction meanwhile. */
		add_missed_in(estimate, task, count, task->stack, since, task->stack_transaction);
		if (estimate->parts.looks && *estimate->parts.privilege == PRIVILEGE_USER)
			kernel_looks_settled(estimate->parts.looks, task, since, (uint64_t)count, period);
	}
	/* What it misses from now on is of the time after the wait. */
	task->stack_is_past = true;
	kernel_looks_waited(task);
}

/* Returns a place for CPU time without a sample. */
static uint32_t residue_stack(const struct estimate *estimate, struct residue *residue,
			      const struct task *task)
{
	/* Samples of short tasks are more informative than where their parent was. */
	uint32_t stack = task->samples.count == 0 ? residue_get(residue) : 0;

	return stack ? stack : estimate_stack(estimate, task);
}

/* Adds a sample for such time; in_kernel: it is known to be the kernel's, but not its caller. */
static void add_residue(struct estimate *estimate, struct residue *residue, struct task *task,
			uint64_t time, bool in_kernel)
{
	bool ended = task->state == TASK_ENDED;
	unsigned solo = solo_flag(estimate, ended ? residue->solo : solo_left(estimate, task));
	uint32_t stack = in_kernel ? kernel_stack(estimate, task, 0)
				   : residue_stack(estimate, residue, task);

	sample_ledger_add(estimate->parts.ledger, task, time, stack,
			  in_kernel ? SAMPLE_KERNEL_ESTIMATED : SAMPLE_RESIDUE,
			  estimate_flags(estimate, stack) | solo);
	if (ended && solo)
		residue->solo -= (int64_t)estimate->parts.ledger->period;
}

void estimate_program(struct estimate *estimate, struct task *task, uint64_t time)
{
	struct residue *residue = task->process->residue;

	if (!residue)
		return;
	for (uint64_t made = 0; made < MISSED_MAX; made++) {
		if (unaccounted(estimate, task) < (int64_t)estimate->parts.ledger->period)
			return;
		add_residue(estimate, residue, task, time, false);
	}
}

/* Returns the time of a task that no sample accounts for, within what a session can make samples of. */
static int64_t rest_of(const struct estimate *estimate, const struct task *task)
{
	int64_t rest = (int64_t)task->cpu - sample_ledger_covered(estimate->parts.ledger, task);
	int64_t most = MISSED_MAX * (int64_t)estimate->parts.ledger->period;

	if (rest > most)
		return most;
	return rest < -most ? -most : rest;
}

/* Returns whether short tasks of the program have shown where such tasks use their time. */
static bool is_shown(const struct estimate *estimate, const struct residue *residue)
{
	return residue->short_cpu >= SHOWN_PERIODS * estimate->parts.ledger->period;
}

/*
 * Returns whether the next period of a program's unseen time is the kernel's,
 * according to samples.
 */
static bool is_kernel_next(const struct estimate *estimate, struct residue *residue)
{
	int64_t period = (int64_t)estimate->parts.ledger->period;
	double user;

	if (*estimate->parts.privilege == PRIVILEGE_FULL || !is_shown(estimate, residue))
		return false;
	user = (double)residue->short_user / (double)residue->short_cpu;
	residue->kernel_due += user < 1 ? (int64_t)((double)period * (1 - user)) : 0;
	if (residue->kernel_due < period / 2)
		return false;
	residue->kernel_due -= period;
	return true;
}

/* Adds samples for unseen tasks of a program, now that their places are known or never will be. */
static void place_unseen(struct estimate *estimate, struct residue *residue, uint64_t time)
{
	int64_t period = (int64_t)estimate->parts.ledger->period;

	for (; residue->unseen >= period; residue->unseen -= period) {
		if (is_stolen(estimate, residue->last))
			continue;
		if (!is_shown(estimate, residue))
			estimate->unplaced += (uint64_t)period;
		add_residue(estimate, residue, residue->last, time,
			    is_kernel_next(estimate, residue));
	}
}

/* Adds samples for what is left of a program's tasks that were seen. */
static void place_rest(struct estimate *estimate, struct residue *residue, uint64_t time,
		       int64_t bound)
{
	bool in_kernel = is_rest_of_kernel(estimate, residue->last);
	int64_t period = (int64_t)estimate->parts.ledger->period;

	for (; residue->rest >= bound; residue->rest -= period)
		if (!is_stolen(estimate, residue->last))
			add_residue(estimate, residue, residue->last, time, in_kernel);
}

/*
 * Returns whether samples of a task without finer events have shown where it was.
 * The missing time of such tasks is added up, and the task that completes a period
 * gets the sample: so each gets one with a probability proportional to its missing
 * time. The kernel moves events between threads, so what one thread has too much
 * another lacks.
 */
static bool is_seen_plainly(const struct estimate *estimate, const struct task *task)
{
	return *estimate->parts.privilege != PRIVILEGE_PROC && !task->short_task.finer &&
	       task->samples.count > 0;
}

void estimate_end(struct estimate *estimate, struct task *task, uint64_t time)
{
	struct residue *residue = task->process->residue;
	int64_t period = (int64_t)estimate->parts.ledger->period;
	int64_t rest;

	if (*estimate->parts.privilege != PRIVILEGE_PROC)
		estimate_settle(estimate, task, time, true);
	if (!residue)
		return;
	assert(task->state != TASK_RUNNING);
	if (residue->last)
		residue->last->kept = false;
	residue->last = task;
	residue->ended++;
	residue->solo += solo_left(estimate, task);
	task->kept = true;
	rest = rest_of(estimate, task);
	if (is_seen_plainly(estimate, task)) {
		residue->seen += rest;
		for (; residue->seen >= period; residue->seen -= period)
			if (!is_stolen(estimate, task))
				add_residue(estimate, residue, task, time, false);
		return;
	}
	if (*estimate->parts.privilege != PRIVILEGE_PROC && !task->short_task.finer) {
		residue->unseen += rest;
		if (is_shown(estimate, residue) || residue->unseen > HELD_PERIODS * period)
			place_unseen(estimate, residue, time);
		return;
	}
	residue->rest += rest + task->short_task.steered;
	place_rest(estimate, residue, time,
		   estimate->parts.short_tasks->on ? LOTS_BOUND * period : period);
}

void estimate_finish(struct estimate *estimate, uint64_t time)
{
	int64_t period = (int64_t)estimate->parts.ledger->period;

	for (struct residue *residue = estimate->parts.residues->first; residue;
	     residue = residue->next) {
		if (!residue->last)
			continue;
		place_rest(estimate, residue, time, period);
		residue->unseen += residue->rest + residue->seen;
		residue->rest = residue->seen = 0;
		place_unseen(estimate, residue, time);
	}
}

uint64_t estimate_ends_max(const struct estimate *estimate,
			    const struct estimate_switches *switches)
{
	uint64_t ended = 0, most = switches->count * SWITCH_MAX;

	for (const struct residue *residue = estimate->parts.residues->first; residue;
	     residue = residue->next)
		ended += residue->ended;
	return ended * END_MAX + (switches->taken > most ? switches->taken : most);
}

void estimate_ends(struct estimate *estimate, uint64_t beyond,
		   const struct estimate_switches *switches, uint64_t time)
{
	const uint64_t period = estimate->parts.ledger->period;
	uint64_t most = estimate_ends_max(estimate, switches), ended = 0, before = 0, covered_periods = 0;

	for (struct residue *residue = estimate->parts.residues->first; residue;
	     residue = residue->next)
		ended += residue->ended;
	if (beyond > most)
		beyond = most;
	for (struct residue *residue = estimate->parts.residues->first; residue;
	     residue = residue->next) {
		before += residue->ended;
		/* Up to and including this program, so that parts of periods are not lost. */
		/* The end of a task has no caller: such a stack is whole. */
		for (; residue->last && (covered_periods + 1) * period * ended <= beyond * before; covered_periods++)
			sample_ledger_add(estimate->parts.ledger, residue->last, time,
					  kernel_stack(estimate, residue->last, 0),
					  SAMPLE_KERNEL_ESTIMATED, 0);
	}
}
