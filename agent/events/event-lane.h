/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the agent writes an event (layout: event-area.h).
 *
 * Each thread has a lane, in memory that a forked child finds cleared: a child
 * never writes where its parent does. A child of vfork borrows the parent's
 * thread, and writes in its lane.
 *
 * A slot is reserved by one instruction on the lane's cursor, so that an event
 * in a signal handler takes the slots behind; limit is read before, and a place
 * that does not lie below it in the same chunk goes the slow way, with signals
 * blocked. Nothing here allocates, and a plain event asks the system nothing.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_LANE_H
#define VIGIL_AGENT_EVENTS_EVENT_LANE_H

#include "agent/events/event-state.h"

#include <pthread.h>

/* The slow ways of event_write_at and event_write. */
COLD void event_write_anchored(uint64_t mark, uint64_t now);
COLD void event_write_by_clock(uint64_t mark);
/* Write mark, number of slots and bytes put in: what follows the first slot is data. */
void event_write_data(uint64_t mark, const void *data, size_t length);
/* Write text with a number (EVENT_MARK_USER and the like); a longer one is cut. */
void event_write_text(enum event_mark mark, int32_t number, const char *text);
/* Let a lane end: what it has published is read, and its chunk is free then. */
void event_lane_end(void);
/* Find out what a plain event costs, and tell it in the area. */
void event_lane_measure(void);
/* Threads that get a lane from now on have a value for key, 1: its destructor is to end the lane. */
void event_lane_key(pthread_key_t key);
/*
 * Where a signal can fall between the reservation of a slot and its publication:
 * tables of the places behind the former and behind the latter, for event-jumps.c.
 */
#define EVENT_PLACE(table) \
	"7:\n .pushsection " table ", \"a\"\n .balign 4\n .long 7b - .\n .popsection\n"

/* Reserve bytes: where they are. One instruction, which no signal can split. */
static inline uint64_t event_reserve(struct event_lane *lane, uint64_t bytes)
{
#if defined(__x86_64__)
	__asm__ volatile("xaddq %0, %1\n" EVENT_PLACE("vigil_reserved")
			 : "+r"(bytes), "+m"(lane->cursor)
			 :
			 : "memory", "cc");
	return bytes;
#else
	return __atomic_fetch_add(&lane->cursor, bytes, __ATOMIC_RELAXED);
#endif
}

/* Whether bytes from place on lie in the chunk that ends at limit. */
static inline bool event_fits(uint64_t limit, uint64_t place, uint64_t bytes)
{
	return limit - place - bytes <= event_chunk_size - bytes;
}

/* How many statements are counted in a lane before the area's count has them. */
#define EVENT_COUNTED 64

/* Add what a lane has counted to the area. */
void event_count_up(struct event_lane *lane);

/* The same, where another program's statement is to be counted. */
COLD void event_count_other(struct event_lane *lane, uint32_t program);

/* Count a statement of a program, by the number of its name, instead of writing it. */
static inline void event_count(uint32_t program)
{
	struct event_lane *lane = event_lane;

	if (UNLIKELY(lane->counting != program || lane->counted >= EVENT_COUNTED || !lane->number))
		event_count_other(lane, program);
	else
		lane->counted++;
}

/* Write one plain event: a mark and the time. */
static inline void event_write_at(uint64_t mark, uint64_t now)
{
	struct event_lane *lane = event_lane;
	uint64_t limit, place;
	struct event_slot *slot;

	if (UNLIKELY(now - lane->last > event_gap || now - lane->anchored > event_anchors)) {
		event_write_anchored(mark, now);
		return;
	}
	lane->last = now;
	limit = __atomic_load_n(&lane->limit, __ATOMIC_RELAXED);
	place = event_reserve(lane, sizeof(*slot));
	if (UNLIKELY(!event_fits(limit, place, sizeof(*slot)))) {
		event_write_anchored(mark, now);
		return;
	}
	slot = (struct event_slot *)place;
	slot->word = now;
	__atomic_store_n(&slot->mark, mark, __ATOMIC_RELEASE);
#if defined(__x86_64__)
	__asm__ volatile(EVENT_PLACE("vigil_published") : : : "memory");
#endif
}

/* The same at this moment. Without a call in it where there is a cycle counter. */
static inline void event_write(uint64_t mark)
{
#if defined(__x86_64__)
	if (!UNLIKELY(!event_cycles)) {
		event_write_at(mark, __builtin_ia32_rdtsc());
		return;
	}
#endif
	event_write_by_clock(mark);
}

#endif
