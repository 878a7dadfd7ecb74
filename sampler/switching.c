/* SPDX-License-Identifier: Apache-2.0 */
/* Subtracts from waits the cost of the switch at their end. */
#include "common/compat.h"
#include "sampler/switching.h"
#include "common/procfs.h"
#include "sampler/tasks.h"

/* Number of switches needed for an estimate; number above which older ones count less. */
#define SWITCHES_NEEDED 8
#define FADE 4096
/* Maximum number of waits that ended before the cost was known and are corrected later. */
#define EARLY_MAX 64

void switching_begin(struct task *task)
{
	task->waits.switching = (struct task_switching){ .based = true };
}

void switching_break(struct task *task)
{
	task->waits.switching.based = false;
}

static void add(struct switching_sums *sums, double switches, double ns)
{
	if (sums->switches > FADE) {
		sums->switches /= 2;
		sums->ns /= 2;
	}
	sums->switches += switches;
	sums->ns += ns;
}

void switching_look(struct switching *switching, const struct step_clock *clock, struct task *task,
		    const struct procfs_schedule *schedule)
{
	struct task_switching *own = &task->waits.switching;
	uint64_t slices = schedule->slices - own->kernel_slices;
	uint64_t switches = task->switches - own->switches;

	if (own->based && own->paused == clock->passed_paused && slices == switches && switches) {
		int64_t beyond = (int64_t)(schedule->cpu - own->kernel_cpu) -
				 (int64_t)(task->cpu - own->cpu);

		add(&own->sums, (double)switches, (double)beyond);
		add(&switching->sums, (double)switches, (double)beyond);
	}
	own->based = true;
	own->kernel_cpu = schedule->cpu;
	own->kernel_slices = schedule->slices;
	own->cpu = task->cpu;
	own->switches = task->switches;
	own->paused = clock->passed_paused;
}

/* Returns the ns that one switch takes; -1: not known yet. */
static double one_of(const struct switching *switching, const struct task_switching *own)
{
	const struct switching_sums *sums =
		own->sums.switches >= SWITCHES_NEEDED ? &own->sums : &switching->sums;

	if (sums->switches < SWITCHES_NEEDED)
		return -1;
	return sums->ns > 0 ? sums->ns / sums->switches : 0;
}

static uint64_t smaller(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

void switching_take(struct switching *switching, struct task *task, struct wait_amount *part,
		    bool delay)
{
	struct task_switching *own = &task->waits.switching;
	double one = one_of(switching, own);
	uint64_t taken, charged;

	if (one < 0) {
		own->early[delay] += own->early[delay] < EARLY_MAX;
		return;
	}
	own->owed[delay] += (uint64_t)(one * (1 + own->early[delay]));
	own->early[delay] = 0;
	taken = smaller(own->owed[delay], part->total);
	if (!taken)
		return;
	charged = (uint64_t)((double)part->charged * ((double)taken / (double)part->total));
	part->solo -= (uint64_t)((double)part->solo * ((double)taken / (double)part->total));
	part->total -= taken;
	part->charged -= charged;
	own->owed[delay] -= taken;
	own->taken += taken;
	task->activity.cpu += taken;
	switching->taken += taken;
	switching->charged[delay] += charged;
}

void switching_take_charges(struct switching *switching, uint64_t *exec, uint64_t *wait, uint64_t *delay)
{
	uint64_t all = switching->charged[0] + switching->charged[1];
	/* While one task is ready, waits of others count as delay. */
	uint64_t from_delay = smaller(switching->charged[1], *delay);
	uint64_t from_wait = smaller(all - from_delay, *wait);

	from_delay = smaller(all - from_wait, *delay);
	*wait -= from_wait;
	*delay -= from_delay;
	*exec += from_wait + from_delay;
	switching->charged[0] = switching->charged[1] = 0;
}
