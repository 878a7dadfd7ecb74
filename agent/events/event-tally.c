/* SPDX-License-Identifier: Apache-2.0 */
/* Begins and ends tallies, and writes their sums. */
#include "agent/events/event-tally.h"
#include "agent/events/event-lane.h"
#include "agent/events/event-noted.h"

#include <signal.h>

/* Events since a thread began to tally that are few; after how many times it stops for a while. */
#define FEW 64
#define FEW_TIMES 16
/* Gaps for which it then does not. */
#define WITHOUT 500

/* Returns whether the thread tallies now. */
static bool is_open(const struct event_lane *lane)
{
	return lane->tallying[false] || lane->tallying[true];
}

static struct event_tally_step *open_step(struct event_tally *tally)
{
	return &tally->steps[tally->open % EVENT_TALLY_STEPS];
}

/* Returns the number of a step, 0 if the table does not have it. */
static uint64_t find(const struct event_tally *tally, uint64_t mark, uint64_t resumes)
{
	uint64_t at = event_tally_place(mark, resumes);

	for (uint64_t i = 0; i < EVENT_TALLY_PROBES; i++) {
		uint64_t number = tally->index[(at + i) % EVENT_TALLY_INDEX] % EVENT_TALLY_STEPS;

		if (!number)
			return 0;
		if (tally->steps[number].mark == mark && tally->steps[number].resumes == resumes)
			return number;
	}
	return 0;
}

/*
 * Adds a step to the list, with its first hit. Again if a signal handler has
 * written the sums meanwhile, and the list is another one: it may have a step twice.
 */
static void list(struct event_tally *tally, uint64_t number)
{
	uint64_t block, at;

	do {
		block = __atomic_load_n(&tally->block, __ATOMIC_RELAXED);
		at = event_tally_count(&tally->listed);
		if (LIKELY(at < EVENT_TALLY_STEPS))
			__atomic_store_n(&tally->list[at], (uint16_t)number, __ATOMIC_RELAXED);
	} while (UNLIKELY(block != __atomic_load_n(&tally->block, __ATOMIC_RELAXED)));
}

/*
 * Adds a step to a table; returns its number, 0: there is no room. A signal handler
 * may add the same one, and any other at the same place of the index: then one of
 * them is not in the index, and there will be another like it.
 */
static uint64_t add(struct event_tally *tally, uint64_t mark, uint64_t resumes)
{
	uint64_t at = event_tally_place(mark, resumes), number;

	if (tally->used >= EVENT_TALLY_STEPS - 1)
		return 0;
	for (uint64_t i = 0; i < EVENT_TALLY_PROBES; i++) {
		uint16_t *place = &tally->index[(at + i) % EVENT_TALLY_INDEX];

		if (*place)
			continue;
		number = event_tally_count(&tally->used) + 1;
		if (number >= EVENT_TALLY_STEPS)
			return 0;
		tally->steps[number].resumes = resumes;
		tally->steps[number].mark = mark;
		__atomic_store_n(place, (uint16_t)number, __ATOMIC_RELEASE);
		return number;
	}
	return 0;
}

/* Returns the number of a step, which is added if it is new; 0: there is no room. */
static uint64_t find_or_add(struct event_tally *tally, uint64_t mark, uint64_t resumes)
{
	uint64_t number = find(tally, mark, resumes);

	return number ? number : add(tally, mark, resumes);
}

/* Takes a free table, the first that is: its memory is there already. Returns NULL if there is none. */
static struct event_tally *take(const struct event_lane *lane)
{
	for (uint64_t i = 0; event_tallies && i < EVENT_TALLIES; i++) {
		uint64_t none = 0, *owner = &event_tallies->owners[i];

		if (!__atomic_load_n(owner, __ATOMIC_RELAXED) &&
		    __atomic_compare_exchange_n(owner, &none, lane->number, false, __ATOMIC_ACQUIRE,
						__ATOMIC_RELAXED))
			return &event_tallies->tables[i];
	}
	return NULL;
}

/* The steps of a block. */
struct block {
	struct event_slot slots[1 + EVENT_TALLY_SLOTS(EVENT_TALLY_BLOCK)]; /* the first is the block's own */
	uint64_t count;
};

static void put_step(struct event_lane *lane, struct block *block, const struct event_tally_step *step)
{
	struct event_slot *at = &block->slots[1 + EVENT_TALLY_SLOTS(block->count++)];

	at[0] = (struct event_slot){ step->mark, step->resumes };
	at[1] = (struct event_slot){ step->hits, step->elapsed };
	lane->tally_events += step->hits;
}

/*
 * Writes a block, the last one after an anchor, and then clears its steps: from and
 * to in the list, and the open one. Returns false if there is no room any more.
 */
static bool write_block(struct event_lane *lane, struct block *block, uint64_t from, uint64_t to, bool last,
			uint64_t *now, uint64_t *cpu)
{
	struct event_tally *tally = lane->tally;
	uint64_t more = EVENT_TALLY_SLOTS(block->count), number = tally->block % INT32_MAX + 1;
	struct event_slot *at;

	at = last ? event_lane_anchor(lane, now, cpu, 1 + more) : event_lane_room(lane, 1 + more);
	if (!at)
		return false;
	tally->from = from;
	tally->to = to;
	__atomic_store_n(&tally->block, number, __ATOMIC_RELEASE);
	block->slots[1] = (struct event_slot){ tally->start, tally->last };
	at->word = *now;
	memcpy(at + 1, block->slots + 1, more * sizeof(*at));
	__atomic_store_n(&at->mark, EVENT_MARK_TALLY | EVENT_DATA(more, last, number), __ATOMIC_RELEASE);
	for (uint64_t i = from; i < to; i++) {
		uint64_t cleared = tally->list[i] % EVENT_TALLY_STEPS;
		struct event_tally_step *step = &tally->steps[cleared];

		if (cleared == tally->open && !last)
			continue;
		step->hits = step->elapsed = 0;
	}
	if (last)
		open_step(tally)->hits = open_step(tally)->elapsed = 0;
	block->count = 0;
	return true;
}

/* Returns the number of the last step that is used. */
static uint64_t last_step(const struct event_tally *tally)
{
	return tally->used < EVENT_TALLY_STEPS ? tally->used : EVENT_TALLY_STEPS - 1;
}

/* Lists all steps, when a list has become too long. */
static void list_all(struct event_tally *tally)
{
	tally->listed = 0;
	for (uint64_t i = 1; i <= last_step(tally); i++)
		if (tally->steps[i].hits)
			tally->list[tally->listed++] = (uint16_t)i;
}

/*
 * Writes the sums so far, up to the last event, before an event at *now. That of a
 * wait for room is the time after it.
 */
static void write_sums(struct event_lane *lane, uint64_t *now, uint64_t *cpu)
{
	struct event_tally *tally = lane->tally;
	struct block block = { .count = 0 };
	uint64_t from = 0;

	memset(tally->seen, 0, sizeof(tally->seen));
	if (tally->listed > EVENT_TALLY_STEPS)
		list_all(tally);
	for (uint64_t i = 0; i < tally->listed; i++) {
		uint64_t number = tally->list[i] % EVENT_TALLY_STEPS, bit = UINT64_C(1) << number % 64;
		const struct event_tally_step *step = &tally->steps[number];

		/* A step may be listed twice, or where a signal has interrupted its entry. */
		if (!step->hits || number == tally->open || tally->seen[number / 64] & bit)
			continue;
		tally->seen[number / 64] |= bit;
		if (block.count == EVENT_TALLY_BLOCK - 1) {
			if (!write_block(lane, &block, from, i, false, now, cpu))
				return;
			from = i;
		}
		put_step(lane, &block, step);
	}
	if (tally->open && open_step(tally)->hits)
		put_step(lane, &block, open_step(tally));
	if (!write_block(lane, &block, from, tally->listed, true, now, cpu))
		return;
	tally->from = tally->to = 0;
	tally->listed = 0;
}

/* Does not tally for a while. */
static void stop(struct event_lane *lane, uint64_t now)
{
	lane->may_tally = 0;
	lane->tally_again = now + WITHOUT * event_gap;
	lane->tally_few = 0;
}

/* Begins the next sums with an event at now. */
static void begin_sums(struct event_lane *lane, uint64_t now)
{
	lane->tally->start = lane->tally->last = now;
	lane->tally_changes = __atomic_load_n(event_changes, __ATOMIC_RELAXED);
	lane->anchored = 0;
}

/* Begins to tally with a step at *now: what is written before it precedes it. */
static void open_tally(struct event_lane *lane, bool calls, uint64_t *now, uint64_t *cpu)
{
	lane->tally->open = 0;
	lane->tally->start = lane->tally->last = *now;
	write_sums(lane, now, cpu);
	begin_sums(lane, *now);
	event_lane_defer(lane);
	lane->tally_events = 0;
	__atomic_store_n(&lane->tallying[calls], lane->tally, __ATOMIC_RELAXED);
}

/* Returns whether the sums are to be written before an event at now. */
static bool are_due(const struct event_lane *lane, uint64_t now)
{
	return now - lane->tally->last > event_gap ||
	       now - lane->tally->start > EVENT_TALLY_ANCHORS * event_anchors ||
	       __atomic_load_n(event_changes, __ATOMIC_RELAXED) != lane->tally_changes;
}

/* Makes the thread ready to tally a step at *now: returns false if it cannot. */
static bool make_ready(struct event_lane *lane, bool calls, uint64_t *now, uint64_t *cpu)
{
	if (!lane->may_tally)
		return false;
	if (!lane->tally)
		lane->tally = take(lane);
	if (!lane->tally) {
		stop(lane, *now);
		return false;
	}
	if (!is_open(lane)) {
		open_tally(lane, calls, now, cpu);
	} else if (!lane->tallying[calls]) {
		return false;
	} else if (are_due(lane, *now)) {
		write_sums(lane, now, cpu);
		begin_sums(lane, *now);
	}
	return event_active();
}

/* Tallies a step; returns false if there is no room for it. */
static bool tally_step(struct event_lane *lane, uint64_t mark, uint64_t resumes, uint64_t now)
{
	struct event_tally *tally = lane->tally;
	uint64_t number = find_or_add(tally, mark, resumes);

	if (!number) {
		stop(lane, now);
		return false;
	}
	open_step(tally)->elapsed += now - tally->last;
	tally->last = now;
	tally->open = number;
	if (!tally->steps[number].hits++)
		list(tally, number);
	return true;
}

/* Tallies a step without system calls, where nothing is due. */
static bool put_step_at_once(struct event_lane *lane, uint64_t mark, uint64_t resumes, bool calls)
{
	struct event_tally *tally = lane->tallying[calls];
	uint64_t number = tally ? find_or_add(tally, mark, resumes) : 0, before;
	bool first = false;

	if (!number)
		return false;
	before = __atomic_load_n(&tally->last, __ATOMIC_RELAXED);
	if (!event_tally_step(lane, tally, number, before, event_cycle_counter(), &first))
		return false;
	if (first)
		list(tally, number);
	return true;
}

bool event_tally_slowly(struct event_lane *lane, uint64_t mark, uint64_t resumes, bool calls)
{
	uint64_t now = event_ticks(), since = now, cpu, used;
	sigset_t all, before;
	int saved = errno;
	bool done = false;

	if (put_step_at_once(lane, mark, resumes, calls))
		return true;
	if (!lane->may_tally && !is_open(lane))
		return false;
	cpu = used = event_thread_cpu();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	/* A signal handler may have tallied since. */
	if (is_open(lane) && (int64_t)(lane->tally->last - now) > 0)
		now = lane->tally->last;
	if (lane->number && event_active() && make_ready(lane, calls, &now, &cpu))
		done = tally_step(lane, mark, resumes, now);
	lane->own += event_lane_used(since, used);
	sigprocmask(SIG_SETMASK, &before, NULL);
	errno = saved;
	return done;
}

void event_tally_close(struct event_lane *lane, uint64_t *now, uint64_t *cpu)
{
	bool open = is_open(lane);

	/* A step that a signal handler has interrupted may have been added since the sums were written. */
	if (!open && !(lane->tally && lane->tally->listed))
		return;
	if (!open)
		lane->tally->start = lane->tally->last = *now;
	write_sums(lane, now, cpu);
	lane->tallying[false] = lane->tallying[true] = NULL;
	lane->tally->start = lane->tally->last = 0;
	if (lane->tally_events >= FEW)
		lane->tally_few = 0;
	else if (open && ++lane->tally_few == FEW_TIMES)
		stop(lane, *now);
}

void event_tally_leave(struct event_lane *lane)
{
	struct event_tally *tally = lane->tally;

	if (!tally)
		return;
	for (uint64_t i = 1; i <= last_step(tally); i++) {
		uint64_t at = event_tally_place(tally->steps[i].mark, tally->steps[i].resumes);

		for (uint64_t j = 0; j < EVENT_TALLY_PROBES; j++)
			if (tally->index[(at + j) % EVENT_TALLY_INDEX] == i)
				tally->index[(at + j) % EVENT_TALLY_INDEX] = 0;
		tally->steps[i] = (struct event_tally_step){ 0 };
	}
	tally->start = tally->last = tally->open = tally->used = tally->listed = 0;
	tally->block = tally->from = tally->to = 0;
	lane->tally = lane->tallying[false] = lane->tallying[true] = NULL;
	__atomic_store_n(&event_tallies->owners[tally - event_tallies->tables], 0, __ATOMIC_RELEASE);
}
