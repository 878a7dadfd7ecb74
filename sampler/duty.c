/* SPDX-License-Identifier: Apache-2.0 */
/* Settles what nobody watched. */
#include "common/compat.h"
#include "sampler/duty.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "records/record-types.h"
#include "sampler/sampler-data.h"

/* How much of what windows told stays when another comes. */
#define KEEP 0.875
/* What a task did not execute is waits where more than this part of it is no readiness. */
#define READY_PART 64
/* So many tasks at most are looked at while nobody watches, and so often. */
#define LOOKED_AT 64
#define LOOK_AFTER (20 * NSEC_PER_MSEC)

void duty_init(struct duty *duty)
{
	*duty = (struct duty){ .chance = clock_monotonic_ns() | 1 };
}

/* A random number from 0 to below 1. */
static double draw(struct duty *duty)
{
	duty->chance ^= duty->chance << 13;
	duty->chance ^= duty->chance >> 7;
	duty->chance ^= duty->chance << 17;
	return (double)(duty->chance >> 11) / (double)(UINT64_C(1) << 53);
}

/* Whether a task takes part. */
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

/* Samples for CPU time of a task that nobody watched, where it was seen of late. */
static void make_samples(struct sampler *sampler, struct task *task)
{
	const struct task_duty *own = &task->duty;
	struct sample_ledger *ledger = &sampler->ledger;
	uint64_t count = own->like_count < DUTY_LIKES ? own->like_count : DUTY_LIKES;
	int64_t period = (int64_t)ledger->period;
	int64_t rest = (int64_t)task->cpu - sample_ledger_stands_for(ledger, task);
	size_t next = (size_t)(draw(&sampler->duty) * (double)count);

	for (; count && rest >= period; rest -= period) {
		const struct duty_like *like = &own->likes[next++ % count];

		sample_ledger_add(ledger, task, sampler->clock.now, like->stack, SAMPLE_RESIDUE,
				  like->flags);
	}
}

/* What is not in the task's account of what the kernel has counted, when a window closes. */
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

/* What the kernel gave a task was taken over. */
static void forget_given(struct task_duty *own)
{
	own->given = own->ready = 0;
}

/* Read what the kernel has counted of a task; tells what is new of one that was read before. */
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

/* Read what the kernel has counted of all tasks, but for those of which it was read after a time.
 */
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

/* ns that a task executed while nobody watched it. */
static uint64_t executed_by(const struct sampler *sampler, const struct task *task)
{
	const struct task_duty *own = &task->duty;
	/* Too little of it is put right when the step has ended, too much is not. */
	uint64_t unknown = own->passed < LOOK_AFTER ? own->passed : LOOK_AFTER;
	int64_t executed = own->counted && own->paused == sampler->clock.passed_paused
				   ? (int64_t)own->cpu - own->base - (int64_t)task->cpu
				   : (int64_t)((double)unknown * own->part);

	if (executed > (int64_t)own->passed)
		executed = (int64_t)own->passed;
	return executed > 0 ? (uint64_t)executed : 0;
}

/* Find out what a task did since nobody watched it. */
static void settle_task(const struct sampler *sampler, struct task *task, uint64_t time)
{
	struct task_duty *own = &task->duty;
	uint64_t from = sampler->duty.since > task->base->start ? sampler->duty.since : task->base->start;

	own->passed = time > from ? time - from : 0;
	own->changed = !own->blocked || !own->counted || own->given;
	if (!own->based && own->counted) {
		/* It began while nobody watched. */
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

/* End what tasks did when nobody watched any longer, but for waits that last; the ns that they all
   executed since. False when there are none. */
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

/* The class of a task's waits, as far as it is known. */
static enum wait_class class_of(const struct task *task)
{
	if (!task->duty.changed)
		return task->waits.going.class;
	return task->waits.recent_at ? wait_site_class(&task->waits.recent) : CLASS_MAJOR;
}

/* What is charged to all waits of a class, how long these are, and the part that was charged. */
struct charging {
	double charged, alone, total, part;
};

/* Tell what is to be charged to the waits of each class. */
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

/* Charge a task's waits; the sum of all is what there is. */
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

/* Whether a task that did not execute for so long was ready for all of it, as the kernel tells. */
static bool is_ready_only(const struct task *task)
{
	const struct task_delay *delay = &task->waits.delay;
	uint64_t known = delay->base + delay->preempted + delay->told;
	uint64_t ready = delay->known && task->duty.delay > known ? task->duty.delay - known : 0;

	return ready >= task->duty.waited - task->duty.waited / READY_PART;
}

/* What a task does now. Of one that can execute nobody tells whether it does: that is drawn by how
   long it did, and how long it was ready. */
static enum task_state state_now(struct sampler *sampler, const struct task *task)
{
	const struct task_duty *own = &task->duty;
	double could = (double)own->executed + (double)own->ready;

	if (own->gone || procfs_state(task->process->base->pid, task->base->tid) != 'R')
		return TASK_BLOCKED;
	return draw(&sampler->duty) * could <= (double)own->executed ? TASK_RUNNING
								     : TASK_PREEMPTED;
}

/* The sums of a task that was not one wait all the time, and what it does now. */
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

/* Settle what was not seen up to a time, as it was counted. */
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
			task->waits.going.charged += amount.charged;
			task->waits.going.solo += amount.solo;
		}
	}
	duty->unseen += time - duty->since;
	duty->since = time;
}

void duty_settle(struct sampler *sampler, uint64_t time)
{
	if (!sampler->duty.closed || sampler->clock.paused || time <= sampler->duty.since)
		return;
	/* Where many tasks end at once each one is counted once. */
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
