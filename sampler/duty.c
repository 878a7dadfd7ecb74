/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts for unobserved time. */
#include "common/compat.h"
#include "sampler/duty.h"
#include "common/chance.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "records/record-types.h"
#include "sampler/sampler-data.h"

/* Weight of earlier windows when another one is added. */
#define KEEP 0.875
/* Time in which a task did not execute is a wait if more than 1/N of it was not run-queue time. */
#define READY_PART 64
/* Maximum number of tasks for accounting during unobserved time, and the interval. */
#define LOOKED_AT 64
#define LOOK_AFTER (20 * NSEC_PER_MSEC)

void duty_init(struct duty *duty)
{
	*duty = (struct duty){ .chance = clock_monotonic_ns() | 1 };
}

/* Returns whether a task takes part. */
static bool is_there(const struct task *task)
{
	return task->state != TASK_ENDED && task->state != TASK_UNSEEN;
}

void duty_sampled(struct task *task, const struct record_sample *row)
{
	struct task_duty *own = &task->duty;

	own->likes[own->like_count++ % DUTY_LIKES] = (struct duty_like){
		.stack = (uint32_t)row->stack,
		.flags = (unsigned)row->flags & (SAMPLE_BROKEN | SAMPLE_CUT),
	};
}

/* Makes samples for CPU time of a task in unobserved time, at the stacks of its last samples. */
static void make_samples(struct sampler *sampler, struct task *task)
{
	const struct task_duty *own = &task->duty;
	struct sample_ledger *ledger = &sampler->ledger;
	uint64_t count = own->like_count < DUTY_LIKES ? own->like_count : DUTY_LIKES;
	int64_t period = (int64_t)ledger->period;
	int64_t rest = (int64_t)task->cpu - sample_ledger_stands_for(ledger, task);
	size_t next = (size_t)(chance_part(chance_next(&sampler->duty.chance)) * (double)count);

	for (; count && rest >= period; rest -= period) {
		const struct duty_like *like = &own->likes[next++ % count];

		sample_ledger_add(ledger, task, sampler->clock.now, like->stack, SAMPLE_RESIDUE,
				  like->flags);
	}
}

/*
 * When a window closes: determines the part of the kernel's count that is not in
 * the task's account.
 */
static void find_base(const struct sampler *sampler, struct task *task)
{
	struct task_duty *own = &task->duty;
	uint64_t age = sampler->clock.now - task->base->start;

	if (own->based && own->paused == sampler->clock.passed_paused)
		return;
	if (!own->based && age)
		own->part = (double)task->cpu / (double)age;
	own->based = true;
	own->paused = sampler->clock.passed_paused;
	own->base = (int64_t)own->cpu - (int64_t)task->cpu;
}

/* Clears what the kernel gave a task, once it is accounted for. */
static void forget_given(struct task_duty *own)
{
	own->given = own->ready = 0;
}

/* Reads the kernel's counts of a task; adds the increase to sums if it was read before. */
static void read_count(struct task *task, struct cost_slices *sums)
{
	struct task_duty *own = &task->duty;
	struct procfs_schedule schedule;
	bool known = own->counted;

	own->read_at = clock_monotonic_ns();
	own->counted = procfs_schedule(task->process->base->pid, task->base->tid, &schedule);
	own->gone = known && !own->counted;
	forget_given(own);
	if (!own->counted)
		return;
	own->given = schedule.slices - own->slices;
	own->ready = schedule.delay - own->delay;
	if (known) {
		sums->cpu += (double)(schedule.cpu - own->cpu);
		sums->slices += (double)own->given;
	}
	own->cpu = schedule.cpu;
	own->delay = schedule.delay;
	own->slices = schedule.slices;
}

/* Reads the kernel's counts of all tasks, except those that were read at or after time. */
static void count_before(struct sampler *sampler, bool watched, uint64_t time)
{
	struct cost_slices sums = { 0 };

	for (struct task *task = sampler->tasks.all; task; task = task->next)
		if (is_there(task) && task->duty.read_at < time)
			read_count(task, &sums);
	cost_watch_slices(&sampler->cost, watched, &sums);
}

void duty_count(struct sampler *sampler, bool watched)
{
	count_before(sampler, watched, UINT64_MAX);
}

void duty_close(struct sampler *sampler)
{
	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		if (!is_there(task))
			continue;
		state_settle(&sampler->states, task);
		task->duty.blocked = task->state == TASK_BLOCKED;
		forget_given(&task->duty);
		if (task->duty.counted)
			find_base(sampler, task);
	}
	sampler->duty.since = sampler->clock.now;
	sampler->duty.closed = sampler->clock.closed = true;
}

/* Returns the ns that a task executed in unobserved time. */
static uint64_t executed_by(const struct sampler *sampler, const struct task *task)
{
	const struct task_duty *own = &task->duty;
	/* Too little is corrected when the step has ended, too much is not. */
	uint64_t unknown = own->passed < LOOK_AFTER ? own->passed : LOOK_AFTER;
	int64_t executed = own->counted && own->paused == sampler->clock.passed_paused
				   ? (int64_t)own->cpu - own->base - (int64_t)task->cpu
				   : (int64_t)((double)unknown * own->part);

	if (executed > (int64_t)own->passed)
		executed = (int64_t)own->passed;
	return executed > 0 ? (uint64_t)executed : 0;
}

/* Determines what a task did in unobserved time. */
static void settle_task(const struct sampler *sampler, struct task *task, uint64_t time)
{
	struct task_duty *own = &task->duty;
	uint64_t from = sampler->duty.since > task->base->start ? sampler->duty.since : task->base->start;

	own->passed = time > from ? time - from : 0;
	own->changed = !own->blocked || !own->counted || own->given;
	if (!own->based && own->counted) {
		/* It began in unobserved time. */
		own->based = true;
		own->paused = sampler->clock.passed_paused;
		own->base = 0;
	}
	own->executed = own->changed ? executed_by(sampler, task) : 0;
	own->waited = own->passed - own->executed;
	if (own->counted && own->passed)
		own->part =
			own->part * KEEP + (1 - KEEP) * (double)own->executed / (double)own->passed;
}

/*
 * Ends the states of tasks at the end of unobserved time, except for waits that
 * last; *executed: ns of CPU time of all of them. Returns false if there are no
 * tasks.
 */
static bool end_states(struct sampler *sampler, uint64_t time, uint64_t *executed)
{
	bool any = false;

	*executed = 0;
	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		task->duty.taken = is_there(task);
		if (!task->duty.taken)
			continue;
		settle_task(sampler, task, time);
		*executed += task->duty.executed;
		any = true;
		if (task->duty.changed)
			state_set(&sampler->states, task, TASK_UNSEEN);
	}
	return any;
}

/* Returns the class of a task's waits, as far as it is known. */
static enum wait_class class_of(const struct task *task)
{
	if (!task->duty.changed)
		return task->waits.current.class;
	return task->waits.recent_at ? wait_site_class(&task->waits.recent) : CLASS_MAJOR;
}

/* Amount charged to all waits of a class, their length, and the fraction charged so far. */
struct charging {
	double charged, alone, total, part;
};

/* Determines the amounts to be charged to the waits of each class. */
static void sum_up(const struct sampler *sampler, const struct step_clock_sums *skipped,
		   struct charging charging[CLASS_COUNT])
{
	for (int class = 0; class < CLASS_COUNT; class ++)
		charging[class] = (struct charging){ .charged = skipped->charged[class],
						     .alone = skipped->alone[class] };
	for (const struct task *task = sampler->tasks.all; task; task = task->next)
		if (task->duty.taken)
			charging[class_of(task)].total += (double)task->duty.waited;
	for (int class = 0; class < CLASS_COUNT; class ++) {
		struct charging *other = &charging[CLASS_COUNT - 1 - class];

		if (charging[class].total > 0)
			continue;
		other->charged += charging[class].charged;
		other->alone += charging[class].alone;
	}
}

/* Charges a task's waits; all of them add up to the amount of the class. */
static struct wait_amount charge(struct charging *charging, const struct task *task)
{
	struct wait_amount amount = { .count = task->duty.given, .total = task->duty.waited };
	double before = charging->part;

	charging->part += charging->total > 0 ? (double)amount.total / charging->total : 0;
	amount.charged = (uint64_t)(charging->charged * charging->part) -
			 (uint64_t)(charging->charged * before);
	amount.solo =
		(uint64_t)(charging->alone * charging->part) - (uint64_t)(charging->alone * before);
	return amount;
}

/*
 * Returns whether the kernel counts a task as ready for all of the time in which
 * it did not execute.
 */
static bool is_ready_only(const struct task *task)
{
	const struct task_delay *delay = &task->waits.delay;
	uint64_t known = delay->base + delay->preempted + delay->accounted;
	uint64_t ready = delay->known && task->duty.delay > known ? task->duty.delay - known : 0;

	return ready >= task->duty.waited - task->duty.waited / READY_PART;
}

/*
 * Returns what a task does now. Whether a task that can execute has a processor is
 * unknown: that is drawn according to the times it executed and was ready.
 */
static enum task_state state_now(struct sampler *sampler, const struct task *task)
{
	const struct task_duty *own = &task->duty;
	double could = (double)own->executed + (double)own->ready;

	if (own->gone || procfs_state(task->process->base->pid, task->base->tid) != 'R')
		return TASK_BLOCKED;
	return chance_part(chance_next(&sampler->duty.chance)) * could <= (double)own->executed ? TASK_RUNNING
								     : TASK_PREEMPTED;
}

/* Adds the sums of a task that was not in one wait throughout, and sets its state. */
static void put_sums(struct sampler *sampler, struct task *task, const struct wait_amount *amount)
{
	const struct task_duty *own = &task->duty;
	double solo = task->cpu ? (double)task->cpu_solo / (double)task->cpu : 0;

	state_add_cpu(&sampler->states, task, own->executed);
	state_add_solo(task, (uint64_t)((double)own->executed * solo));
	sampler->duty.executed += own->executed;
	task->switches += own->given;
	sampler->tasks.switches += own->given;
	if (amount->total)
		waits_unseen(&sampler->waits, task, amount, is_ready_only(task));
	make_samples(sampler, task);
	state_set(&sampler->states, task, state_now(sampler, task));
	task->duty.blocked = task->state == TASK_BLOCKED;
}

/* Accounts for unobserved time up to time, from the counts read. */
static void settle(struct sampler *sampler, uint64_t time)
{
	struct duty *duty = &sampler->duty;
	struct charging charging[CLASS_COUNT];
	struct step_clock_sums skipped;
	uint64_t executed;

	if (!duty->closed || sampler->clock.paused || time <= duty->since)
		return;
	if (!end_states(sampler, time, &executed)) {
		duty->since = time;
		return;
	}
	step_clock_skip(&sampler->clock, time - duty->since, executed, &skipped);
	sum_up(sampler, &skipped, charging);
	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		struct wait_amount amount;

		if (!task->duty.taken)
			continue;
		amount = charge(&charging[class_of(task)], task);
		if (task->duty.changed) {
			put_sums(sampler, task, &amount);
			forget_given(&task->duty);
		} else {
			task->waits.current.charged += amount.charged;
			task->waits.current.solo += amount.solo;
		}
	}
	duty->unseen += time - duty->since;
	duty->since = time;
}

void duty_settle(struct sampler *sampler, uint64_t time)
{
	if (!sampler->duty.closed || sampler->clock.paused || time <= sampler->duty.since)
		return;
	/* If many tasks end at once, each one is read once. */
	count_before(sampler, false, time);
	settle(sampler, time);
}

void duty_open(struct sampler *sampler)
{
	settle(sampler, sampler->clock.now);
	for (struct task *task = sampler->tasks.all; task; task = task->next)
		task->duty.unsure = task->state == TASK_RUNNING;
	sampler->duty.closed = sampler->clock.closed = false;
	step_clock_fade(&sampler->clock, KEEP);
}

void duty_catch_up(struct sampler *sampler)
{
	struct cost_slices sums = { 0 };

	for (struct task *task = sampler->tasks.all; task; task = task->next) {
		struct task_duty *own = &task->duty;
		int64_t executed;

		if (!own->unsure || !is_there(task))
			continue;
		read_count(task, &sums);
		executed = (int64_t)own->cpu - own->base - (int64_t)task->cpu;
		if (own->counted && own->paused == sampler->clock.passed_paused && executed > 0)
			state_add_cpu(&sampler->states, task, (uint64_t)executed);
	}
}

void duty_look(struct sampler *sampler)
{
	if (sampler->tasks.alive <= LOOKED_AT &&
	    sampler->clock.now >= sampler->duty.since + LOOK_AFTER)
		duty_settle(sampler, sampler->clock.now);
}

void duty_pause(struct sampler *sampler, uint64_t time, bool pause)
{
	if (pause)
		duty_settle(sampler, time);
	else
		sampler->duty.since = time;
}
