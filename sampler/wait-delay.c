/* SPDX-License-Identifier: Apache-2.0 */
/* Subtracts the time for which tasks were ready from their waits. */
#include "common/compat.h"
#include "sampler/wait-delay.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "records/record-types.h"
#include "sampler/tasks.h"
#include "sampler/files.h"
#include "sampler/waits.h"

/*
 * Less than this, and less than this part (1/N) of the waits, is not worth
 * separate rows: it stays until there is more.
 */
#define DELAY_MIN NSEC_PER_MSEC
#define DELAY_PART 200
/*
 * Number of rounds that find the waits that were delays throughout; each round may
 * find more of them.
 */
#define LEVEL_ROUNDS 8
/* Standard deviation of delays, as a multiple of their mean, while there is no data on it. */
#define DEVIATION_UNKNOWN 2.0

void wait_delay_begin(struct task *task, bool present)
{
	struct procfs_schedule schedule = { 0 };
	bool known = !present || procfs_schedule(task->process->base->pid, task->base->tid, &schedule);

	task->waits.delay = (struct task_delay){ .known = known, .base = schedule.delay, .executed = schedule.cpu };
}

void wait_delay_ready(struct task *task, uint64_t ns, bool over)
{
	struct task_delay *delay = &task->waits.delay;

	delay->ready += ns;
	if (!over)
		return;
	delay->preempted += delay->ready;
	delay->ready = 0;
}

/* Sums over a task's waits from which its delay is subtracted. */
struct share {
	uint64_t count, total;
};

static uint64_t smaller(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

/* Returns whether an amount is of waits, not of run-queue time. */
static bool is_wait(const struct wait_tally *tally)
{
	return tally->site.reason != WAIT_DISPATCH;
}

/* Returns the sum of the waits in the tallies and of those without a place. */
static struct share sum_up(const struct task *task)
{
	const struct wait_tallies *tallies = &task->waits.tallies, *missed = &task->waits.missed;
	struct share sum = { 0 };

	for (size_t i = 0; i < tallies->count; i++)
		if (is_wait(&tallies->items[i])) {
			sum.count += tallies->items[i].amount.wakeups;
			sum.total += tallies->items[i].amount.total;
		}
	for (size_t i = 0; i < missed->count; i++) {
		sum.count += missed->items[i].amount.wakeups;
		sum.total += missed->items[i].amount.total;
	}
	return sum;
}

/* Returns the variance of one wait's delay, ns^2, estimated from the intervals so far. */
static double variance_of_one(const struct task_delay *delay)
{
	double mean = delay->count > 0 ? delay->sum / delay->count : 0;

	if (delay->intervals < 3)
		return DEVIATION_UNKNOWN * DEVIATION_UNKNOWN * mean * mean;
	return (delay->squares - delay->sum * mean) / (delay->intervals - 1);
}

/*
 * Reads the kernel's sum; returns false if it cannot be read. The kernel adds to
 * it when a task is given a processor: if the task is still in the wait that it
 * was in at the last reading, the sum is unchanged.
 */
static bool read_sum(struct waits *waits, struct task *task, uint64_t *sum)
{
	struct task_delay *delay = &task->waits.delay;
	struct procfs_schedule schedule;

	if (task->state == TASK_ENDED) {
		*sum = delay->at_end;
		return *sum > 0;
	}
	if (task->state != TASK_BLOCKED || !delay->read || delay->read_at != task->switches) {
		if (!procfs_schedule(task->process->base->pid, task->base->tid, &schedule))
			return false;
		delay->read = task->state == TASK_BLOCKED;
		delay->read_at = task->switches;
		if (delay->read)
			switching_look(&waits->switching, waits->parts.clock, task, &schedule);
		delay->sum_read = schedule.delay;
	}
	*sum = delay->sum_read;
	return true;
}

void wait_delay_end(struct task *task)
{
	struct task_delay *delay = &task->waits.delay;
	struct procfs_schedule schedule;

	if (delay->known && delay->waits > delay->waits_accounted &&
	    procfs_schedule(task->process->base->pid, task->base->tid, &schedule))
		delay->at_end = schedule.delay;
}

/*
 * Returns the expected delay of waits that ended with their task: as much for each
 * as for those before, or the same fraction of total if that is less.
 */
static uint64_t expected(const struct task_delay *delay, uint64_t total)
{
	double count = (double)(delay->waits - delay->waits_accounted), by_count, by_time;

	if (delay->count <= 0 || delay->total <= 0)
		return 0;
	by_count = count * delay->sum / delay->count;
	by_time = (double)total * delay->sum / delay->total;
	return (uint64_t)(by_count < by_time ? by_count : by_time);
}

/* Returns the ns of delay since the last call, in waits of total ns. */
static uint64_t delay_since(struct waits *waits, struct task *task, uint64_t total)
{
	struct task_delay *delay = &task->waits.delay;
	uint64_t known = delay->base + delay->preempted + delay->accounted, sum;
	uint64_t paused = waits->parts.clock->passed_paused;

	/* Switches in a pause are not counted. */
	delay->read &= paused == delay->paused;
	if (!read_sum(waits, task, &sum))
		return task->state == TASK_ENDED ? expected(delay, total) : 0;
	if (sum < known)
		return 0;
	/*
	 * The kernel may be ahead of the records: then its sum has the delay in progress
	 * already, which is not of waits. If it has not, the next interval gets the difference.
	 */
	if (paused == delay->paused)
		return sum - known - (delay->ready <= sum - known ? delay->ready : 0);
	/* How much of it lies in the pause is unknown. */
	delay->paused = paused;
	delay->base += sum - known;
	return 0;
}

/*
 * Moves ns of an amount to a delay at a place; returns the moved amount. Both get
 * the same variance.
 */
static struct wait_amount take_out(struct task *task, struct wait_amount *amount, uint32_t stack,
				   uint64_t ns, uint64_t variance)
{
	const struct wait_site site = { .stack = stack, .reason = WAIT_DISPATCH };
	double part = amount->total ? (double)ns / (double)amount->total : 0;
	struct wait_amount out = {
		.transaction = amount->transaction,
		.count = amount->wakeups,
		.wakeups = amount->wakeups,
		.total = ns,
		.charged = smaller((uint64_t)((double)amount->charged * part), amount->charged),
		.solo = smaller((uint64_t)((double)amount->solo * part), amount->solo),
		.variance = variance,
		.delay_variance = variance,
	};

	if (!ns)
		return (struct wait_amount){ 0 };
	amount->total -= out.total;
	amount->charged -= out.charged;
	amount->solo -= out.solo;
	amount->variance += variance;
	amount->delay_variance += variance;
	wait_tallies_add(&task->waits.tallies, &site, &out);
	task->wait -= smaller(out.total, task->wait);
	task->delay += out.total;
	return out;
}

/* A delay that is distributed over a number of waits. */
struct distribution {
	double each; /* ns of a wait that was at least as long */
	double count, variance;
	uint64_t charged;
};

/* Returns the part of count waits, at most most ns. */
static uint64_t part_of(const struct distribution *distribution, uint64_t count, uint64_t limit)
{
	double part = distribution->each * (double)count;

	return part >= (double)limit ? limit : (uint64_t)part;
}

/*
 * Returns the longest possible delay of the waits at a place: their length, plus
 * what a snapshot has shown of the one that it split.
 */
static uint64_t limit_of(const struct task_delay *delay, const struct wait_tally *tally)
{
	bool split_wait = delay->split_wait.ns && wait_site_is_same(&delay->split_wait.site, &tally->site);

	return tally->amount.total + (split_wait ? delay->split_wait.ns : 0);
}

/*
 * Adds to the sums of a distribution: full, ns of those that are delayed
 * throughout; others, the number of the other waits.
 */
static void sum_of(const struct distribution *distribution, uint64_t count, uint64_t limit, double *throughout,
		   double *others)
{
	if (distribution->each * (double)count >= (double)limit)
		*throughout += (double)limit;
	else
		*others += (double)count;
}

/* Finds the delay of each wait, which sum up to ns, where none is longer than its wait. */
static void find_each(const struct task *task, struct distribution *distribution, double ns)
{
	const struct wait_tallies *tallies = &task->waits.tallies, *missed = &task->waits.missed;

	distribution->each = ns / distribution->count;
	for (int round = 0; round < LEVEL_ROUNDS; round++) {
		double throughout = 0, others = 0;

		for (size_t i = 0; i < tallies->count; i++)
			if (is_wait(&tallies->items[i]))
				sum_of(distribution, tallies->items[i].amount.wakeups,
				       limit_of(&task->waits.delay, &tallies->items[i]), &throughout,
				       &others);
		for (size_t i = 0; i < missed->count; i++)
			sum_of(distribution, missed->items[i].amount.wakeups, missed->items[i].amount.total,
			       &throughout, &others);
		if (throughout <= 0 || others <= 0)
			return;
		distribution->each = (ns - throughout) / others;
	}
}

/* Returns the debt at a place, or a free slot for it; NULL: none. */
static struct wait_debt *debt_at(struct task_delay *delay, const struct wait_site *site)
{
	struct wait_debt *free_slot = NULL;

	for (size_t i = 0; i < WAIT_DEBTS; i++) {
		struct wait_debt *debt = &delay->debts[i];

		if (debt->ns && wait_site_is_same(&debt->site, site))
			return debt;
		if (!debt->ns && !free_slot)
			free_slot = debt;
	}
	if (free_slot)
		free_slot->site = *site;
	return free_slot;
}

/*
 * Returns how much of ns of delay, plus the debt at the place, its waits can
 * cover; the rest becomes the debt.
 */
static uint64_t take_or_owe(struct task_delay *delay, const struct wait_tally *tally, uint64_t ns)
{
	struct wait_debt *debt = debt_at(delay, &tally->site);
	uint64_t taken;

	if (!debt) {
		taken = smaller(ns, tally->amount.total);
		delay->accounted += taken;
		return taken;
	}
	delay->accounted += ns;
	ns += debt->ns;
	taken = smaller(ns, tally->amount.total);
	debt->ns = ns - taken;
	return taken;
}

/* Returns the variance of that part, square microseconds; 0 if there is only one place. */
static uint64_t variance_of(const struct distribution *distribution, const struct wait_amount *amount)
{
	double count = (double)amount->wakeups, others = 1 - count / distribution->count;

	return (uint64_t)(count * others * distribution->variance / 1e6);
}

/* Subtracts the delay from the waits of known places. */
static void take_from_tallies(struct waits *waits, struct task *task, struct distribution *distribution)
{
	struct wait_tallies *tallies = &task->waits.tallies;
	size_t count = tallies->count;

	for (size_t i = 0; i < count; i++) {
		struct wait_tally tally = tallies->items[i];
		struct wait_amount out;

		if (!is_wait(&tally) || !tally.amount.wakeups)
			continue;
		out = take_out(task, &tally.amount, tally.site.stack,
			       take_or_owe(&task->waits.delay, &tally,
					   part_of(distribution, tally.amount.wakeups,
						   limit_of(&task->waits.delay, &tally))),
			       variance_of(distribution, &tally.amount));
		tallies->items[i] = tally;
		distribution->charged += out.charged;
		if (tally.site.file)
			files_take_wait(waits->parts.files, tally.site.file,
					&(struct files_wait){ .total = out.total,
							      .charged = out.charged,
							      .charged_solo = out.solo });
	}
}

/* Subtracts the delay from waits whose place is not known yet. */
static void take_from_missed(struct task *task, struct distribution *distribution)
{
	struct wait_tallies *missed = &task->waits.missed;

	for (size_t i = 0; i < missed->count; i++) {
		struct wait_amount *amount = &missed->items[i].amount;
		struct wait_amount out = take_out(task, amount, task->stack,
						  part_of(distribution, amount->wakeups, amount->total), 0);

		distribution->charged += out.charged;
		task->waits.delay.accounted += out.total;
		/* They may stay missed, and their part is done. */
		amount->wakeups = 0;
	}
}

/* Adds an interval to the statistics for later ones. */
static void learn(struct task_delay *delay, double sum, double count, double total)
{
	delay->total += total;
	delay->intervals++;
	delay->sum += sum;
	delay->count += count;
	delay->squares += sum * sum / count;
}

/*
 * Subtracts the delay that the kernel reports from the waits; returns the ns moved
 * from charged waits.
 */
static uint64_t take(struct waits *waits, struct task *task)
{
	struct task_delay *delay = &task->waits.delay;
	uint64_t count = delay->waits - delay->waits_accounted, since;
	struct distribution distribution = { 0 };
	struct share sum;

	if (!delay->known || !count || *waits->parts.privilege == PRIVILEGE_PROC)
		return 0;
	sum = sum_up(task);
	/* Call this even if there is nothing to subtract from, to detect a pause. */
	since = delay_since(waits, task, sum.total);
	if (sum.count == 0)
		return 0;
	if (task->state != TASK_ENDED && since < DELAY_MIN && since < sum.total / DELAY_PART)
		return 0;
	/* What the kernel said of a task that has ended is an interval like others. */
	if (task->state != TASK_ENDED || delay->at_end > 0)
		learn(delay, (double)since, (double)count, (double)sum.total);
	distribution.count = (double)sum.count;
	find_each(task, &distribution, (double)since);
	distribution.variance = variance_of_one(delay);
	delay->waits_accounted = delay->waits;
	take_from_tallies(waits, task, &distribution);
	take_from_missed(task, &distribution);
	return distribution.charged;
}

uint64_t wait_delay_take(struct waits *waits, struct task *task)
{
	const struct current_wait *current = &task->waits.current;
	uint64_t charged = take(waits, task);

	task->waits.delay.split_wait = (struct wait_debt){ 0 };
	if (task->state == TASK_BLOCKED && current->known)
		task->waits.delay.split_wait = (struct wait_debt){
			.site = current->site,
			.ns = waits->parts.clock->active - current->began,
		};
	return charged;
}
