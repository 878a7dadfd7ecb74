/* SPDX-License-Identifier: Apache-2.0 */
/* Decides how much a session may do. */
#include "common/compat.h"
#include "sampler/cost-watch.h"
#include "common/clock.h"

/* Minimum and maximum cost of a switch, ns. */
#define SWITCH_MIN 300.0
#define SWITCH_MAX 8000.0
/* Number of slices of either kind from which the cost of a switch is estimated. */
#define SLICES_NEEDED 2000.0
/* Weight of earlier values when a new one is added. */
#define KEEP 0.875
/* Fewer switches do not give a rate. */
#define SWITCHES_NEEDED 100
/* Maximum length of unobserved time. */
#define PAUSE_MAX (250 * NSEC_PER_MSEC)
/* Part of the requested cost that windows themselves may take. */
#define OVERHEAD_PART 0.25
/* Minimum part of the requested cost that is for switches, whatever vigil uses. */
#define EVENTS_MIN 0.5
/* Less than this gives no estimate of costs. */
#define COSTS_NEEDED (2 * NSEC_PER_MSEC)
/*
 * Number of consecutive checks with too high a cost for a level, for halving, and
 * for halving what is shown to collectors (the first check includes what is read
 * once). The level goes down after UNDER_LOOKS or more checks below UNDER_PART of
 * the requested cost.
 */
#define OVER_LEVEL 2
#define OVER_HALVE 6
#define OVER_ASKING 3
#define UNDER_PART 0.4
#define UNDER_LOOKS 8
#define PATIENCE_MAX 256

void cost_watch_init(struct cost_watch *watch, double percent)
{
	*watch = (struct cost_watch){
		.asked = (percent > 0 ? percent : COST_DEFAULT) / 100,
		.per_switch = COST_SWITCH,
		.patience = UNDER_LOOKS,
	};
}

bool cost_watch_is_bounded(const struct cost_watch *watch)
{
	return watch->asked < 1;
}

/* Returns what switches may add: what vigil leaves. */
static double events_bound(const struct cost_watch *watch)
{
	double bound = watch->asked - watch->own, least = watch->asked * EVENTS_MIN;

	return bound > least ? bound : least;
}

uint64_t cost_watch_pause(struct cost_watch *watch, const struct cost_window *window)
{
	double added = (double)window->switches * watch->per_switch, bound = events_bound(watch);
	/* A step that mostly waits is slowed down in proportion to its run time. */
	uint64_t time = window->used > window->length ? window->used : window->length;
	double part = time ? added / (double)time : 0, pause, least, busy;

	if (!cost_watch_is_bounded(watch) || window->length == 0)
		return 0;
	if (window->switches < SWITCHES_NEEDED && watch->events <= 0)
		return 0;
	/* The pause does not depend on this window alone, so that it does not bias what is seen. */
	busy = (double)window->used / (double)window->length;
	watch->busy = watch->events > 0 ? KEEP * watch->busy + (1 - KEEP) * busy : busy;
	watch->events = watch->events > 0 ? KEEP * watch->events + (1 - KEEP) * part : part;
	if (watch->events <= bound) {
		watch->events = 0;
		return 0;
	}
	pause = (double)window->length * (watch->events / bound - 1);
	least = (double)window->overhead / (watch->asked * OVERHEAD_PART * watch->busy);
	pause = pause < least ? least : pause;
	return pause < (double)PAUSE_MAX ? (uint64_t)pause : PAUSE_MAX;
}

void cost_watch_doubt(struct cost_watch *watch)
{
	watch->events = 0;
}

/* Returns the CPU time of a slice, ns. */
static double slice_of(const struct cost_slices *slices)
{
	return slices->cpu / slices->slices;
}

void cost_watch_slices(struct cost_watch *watch, bool watched, const struct cost_slices *slices)
{
	struct cost_slices *sums = watched ? &watch->watched : &watch->unwatched;
	double cost;

	sums->cpu = sums->cpu * KEEP + slices->cpu;
	sums->slices = sums->slices * KEEP + slices->slices;
	if (watch->watched.slices < SLICES_NEEDED || watch->unwatched.slices < SLICES_NEEDED)
		return;
	cost = slice_of(&watch->watched) - slice_of(&watch->unwatched);
	cost = cost < SWITCH_MIN ? SWITCH_MIN : cost > SWITCH_MAX ? SWITCH_MAX : cost;
	watch->per_switch = KEEP * watch->per_switch + (1 - KEEP) * cost;
}

/* Makes looks rarer (up) or more frequent. */
static enum cost_advice set_level(struct cost_watch *watch, bool up)
{
	if (up && watch->lowered && watch->patience < PATIENCE_MAX)
		watch->patience *= 2;
	watch->level += up ? 1 : -1u;
	watch->lowered = !up;
	watch->over = watch->under = 0;
	if (watch->level > watch->level_max)
		watch->level_max = watch->level;
	return COST_CHANGED;
}

/* Returns whether samples that are shown to collectors have cost too much for long enough. */
static bool asks_too_much(struct cost_watch *watch, bool asking, double part)
{
	watch->asked_over = asking && part > watch->asked ? watch->asked_over + 1 : 0;
	if (watch->asked_over < OVER_ASKING)
		return false;
	watch->asked_over = watch->over = 0;
	return true;
}

enum cost_advice cost_watch_round(struct cost_watch *watch, const struct cost_sums *sums)
{
	uint64_t own = sums->own - watch->last.own, added = sums->added - watch->last.added;
	double used = (double)(sums->used - watch->last.used), part;

	if (!cost_watch_is_bounded(watch) || own + added < COSTS_NEEDED)
		return COST_STAYS;
	watch->last = *sums;
	watch->own = used > (double)own ? (double)own / used : 1;
	part = used > (double)(own + added) ? (double)(own + added) / used : 1;
	RETURN_IF(asks_too_much(watch, sums->asking, part), COST_HALVE);
	watch->over = part > watch->asked ? watch->over + 1 : 0;
	watch->under = part < watch->asked * UNDER_PART ? watch->under + 1 : 0;
	if (watch->level < COST_LEVEL_MAX && watch->over >= OVER_LEVEL)
		return set_level(watch, true);
	if (watch->level && watch->under >= watch->patience)
		return set_level(watch, false);
	if (watch->over < OVER_HALVE)
		return COST_STAYS;
	watch->over = 0;
	return COST_HALVE;
}
