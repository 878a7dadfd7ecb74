/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds up functions in the thread's own table (agent/event-tally-area.h), where the
 * session wants sums only.
 *
 * A thread begins to tally when a function begins, and stops when it has anything
 * else to write: any slot is written after the sums before it. While it tallies it
 * is as in a pause (event-noted.h): functions that have begun are noted, and the
 * slow path writes them before the next slot, so that levels are right. Functions
 * that were active when it began to are not tallied, but their ends are written.
 *
 * What cannot be tallied is written as without tallies: functions of another source
 * than that with which the thread began, those for which the table has no room, and
 * all for a while if the thread writes something else all the time.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_TALLY_H
#define VIGIL_AGENT_EVENTS_EVENT_TALLY_H

#include "agent/events/event-state.h"

/* Anchors' intervals after which sums are written. */
#define EVENT_TALLY_ANCHORS 10

/*
 * The slow path: tallies a step that has no hits since the sums were written, is
 * new, or not at its place in the table's index, or before which sums are due. Returns
 * false if the step is to be written instead.
 */
COLD bool event_tally_slowly(struct event_lane *lane, uint64_t mark, uint64_t resumes, bool calls);
/*
 * Stops tallying, and writes the sums before a slot at *now, when the thread had
 * used *cpu ns: both are set anew if it had to wait for room. Call with signals
 * blocked.
 */
void event_tally_close(struct event_lane *lane, uint64_t *now, uint64_t *cpu);
/* Gives the table back when the lane ends. */
void event_tally_leave(struct event_lane *lane);

/* Adds to a word of the table. One instruction, which no signal can split. */
static inline void event_tally_add(uint64_t *word, uint64_t value)
{
#if defined(__x86_64__)
	__asm__ volatile("addq %1, %0" : "+m"(*word) : "r"(value) : "cc");
#else
	__atomic_fetch_add(word, value, __ATOMIC_RELAXED);
#endif
}

/* Sets last to now if it is still before. One instruction; other threads do not write it. */
static inline bool event_tally_advance(uint64_t *last, uint64_t before, uint64_t now)
{
#if defined(__x86_64__)
	bool done;

	__asm__ volatile("cmpxchgq %3, %1" : "=@ccz"(done), "+m"(*last), "+a"(before) : "r"(now) : "memory");
	return done;
#else
	return __atomic_compare_exchange_n(last, &before, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

/* Adds 1 to a word of the table; returns what it was. One instruction, too. */
static inline uint64_t event_tally_count(uint64_t *word)
{
	uint64_t one = 1;

#if defined(__x86_64__)
	__asm__ volatile("xaddq %0, %1" : "+r"(one), "+m"(*word) : : "memory", "cc");
	return one;
#else
	return __atomic_fetch_add(word, one, __ATOMIC_RELAXED);
#endif
}

/*
 * Tallies a step of the table at a time, now, after an event before. Returns false
 * if sums are due, or a signal handler has tallied in between, which has then taken
 * its part of the time; one that does so later comes after this step. first: set to
 * whether it had no hits.
 */
static inline __attribute__((always_inline)) bool event_tally_step(const struct event_lane *lane,
								    struct event_tally *tally, uint64_t number,
								    uint64_t before, uint64_t now, bool *first)
{
	uint64_t open = __atomic_load_n(&tally->open, __ATOMIC_RELAXED) % EVENT_TALLY_STEPS;

	if (UNLIKELY(now - before > event_gap || now - tally->start > EVENT_TALLY_ANCHORS * event_anchors ||
		     __atomic_load_n(event_changes, __ATOMIC_RELAXED) != lane->tally_changes ||
		     !event_tally_advance(&tally->last, before, now)))
		return false;
	event_tally_add(&tally->steps[open].elapsed, now - before);
	__atomic_store_n(&tally->open, number, __ATOMIC_RELAXED);
	*first = !event_tally_count(&tally->steps[number].hits);
	return true;
}

/*
 * Tallies a step: a function that begins, and has been noted, or the newest noted,
 * which ends. resumes: of one that ends, the one noted before it, 0 if that is
 * written, or there is none; calls: they are noted in the lane's calls. Returns
 * false if the slow path must. The time is read first of all: what follows takes as
 * long as what follows it where a slot is written.
 */
static inline __attribute__((always_inline)) bool event_tally_put(struct event_lane *lane, uint64_t mark,
								   uint64_t resumes, bool calls)
{
	struct event_tally *tally = lane->tallying[calls];
	uint64_t before, now, number;
	bool first;

	if (UNLIKELY(!tally))
		return false;
	before = __atomic_load_n(&tally->last, __ATOMIC_RELAXED);
	now = event_cycle_counter();
	number = tally->index[event_tally_place(mark, resumes)] % EVENT_TALLY_STEPS;
	if (UNLIKELY(tally->steps[number].mark != mark || tally->steps[number].resumes != resumes ||
		     !tally->steps[number].hits))
		return false;
	if (UNLIKELY(!event_tally_step(lane, tally, number, before, now, &first)))
		return false;
	/* A signal handler has written the sums in between: the step is in no list. */
	if (UNLIKELY(first))
		tally->listed = EVENT_TALLY_STEPS + 1;
	return true;
}

#endif
