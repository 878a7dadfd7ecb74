/* SPDX-License-Identifier: Apache-2.0 */
/* Reads how much time a hypervisor has stolen. */
#include "common/compat.h"
#include "sampler/stolen.h"
#include "common/clock.h"

/*
 * Minimum interval of readings if anything was ever stolen, and otherwise; reading
 * takes at most 1/LOOK_PART of the time.
 */
#define LOOK_EVERY (20 * NSEC_PER_MSEC)
#define LOOK_RARELY NSEC_PER_SEC
#define LOOK_PART 500
/* Standard deviations of the number of samples, at most its square root, that are not chance. */
#define DEVIATIONS 5

void stolen_begin(struct stolen *stolen)
{
	*stolen = (struct stolen){ 0 };
	stolen->known = procfs_times(&stolen->first);
}

void stolen_look(struct stolen *stolen, uint64_t used, bool now)
{
	uint64_t begin = clock_monotonic_ns(), taken, busy, pause, least;
	struct procfs_times times;

	if (!stolen->known || (!now && begin < stolen->next) || !procfs_times(&times))
		return;
	taken = times.stolen - stolen->first.stolen;
	busy = times.busy - stolen->first.busy + taken;
	/* A sum of the kernel that decreases is unusable. */
	if (times.stolen >= stolen->first.stolen && times.busy >= stolen->first.busy && busy) {
		stolen->machine = taken;
		stolen->step = used < busy ? (uint64_t)((double)taken * (double)used /
							(double)busy) :
					     taken;
		if (stolen->step < stolen->left_out)
			stolen->step = stolen->left_out;
		/* Nothing is stolen that was not used, though sums may wrap in a damaged recording. */
		if (stolen->step > used)
			stolen->step = used;
	}
	least = times.stolen ? LOOK_EVERY : LOOK_RARELY;
	pause = (clock_monotonic_ns() - begin) * LOOK_PART;
	stolen->next = begin + (pause > least ? pause : least);
}

/* Returns one minus other, limited to 0 and to what the machine lost. */
static uint64_t lost_at_most(const struct stolen *stolen, uint64_t one, uint64_t other)
{
	uint64_t lost = one > other ? one - other : 0;

	return lost < stolen->machine ? lost : stolen->machine;
}

void stolen_settle(struct stolen *stolen, uint64_t used, uint64_t executed, uint64_t beyond)
{
	uint64_t least = lost_at_most(stolen, used, executed);
	uint64_t most = lost_at_most(stolen, used + beyond, executed);

	if (stolen->step < least)
		stolen->step = least;
	if (stolen->step > most)
		stolen->step = most;
}

uint64_t stolen_executed(uint64_t counted, uint64_t seen, uint64_t period)
{
	double more = seen > counted ? (double)(seen - counted) : 0;

	return more * more > DEVIATIONS * DEVIATIONS * (double)seen * (double)period ? seen : counted;
}

uint64_t stolen_take(struct stolen *stolen, uint64_t lacking)
{
	uint64_t left = stolen->machine > stolen->left_out ? stolen->machine - stolen->left_out : 0;
	uint64_t taken = lacking < left ? lacking : left;

	stolen->left_out += taken;
	if (stolen->step < stolen->left_out)
		stolen->step = stolen->left_out;
	return taken;
}

bool stolen_takes(struct stolen *stolen, uint64_t period)
{
	RETURN_IF(stolen->step < stolen->left_out + period, false);
	stolen->left_out += period;
	return true;
}
