/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the agent writes an event (layout: event-area.h).
 *
 * Each thread has a lane, in memory that a forked child finds cleared: a child
 * never writes where its parent does. A vfork child borrows the parent's thread,
 * and writes in its lane.
 *
 * A slot is reserved by one instruction on the lane's cursor, so that an event in
 * a signal handler takes the slots after it; limit is read before, and a position
 * that is not below it in the same chunk takes the slow path, with signals
 * blocked. Nothing here allocates, and a plain event makes no system call.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_LANE_H
#define VIGIL_AGENT_EVENTS_EVENT_LANE_H

#include "agent/events/event-state.h"

#include <pthread.h>

/* The slow paths of event_write_at and event_write. */
COLD void event_write_anchored(uint64_t mark, uint64_t now);
COLD void event_write_by_clock(uint64_t mark);
/* Writes mark, with the number of slots and bytes set in it; data follows the first slot. */
void event_write_data(uint64_t mark, const void *data, size_t length);
/* Writes text with a number (EVENT_MARK_USER and similar); a text that is too long is truncated. */
void event_write_text(enum event_mark mark, int32_t number, const char *text);
/*
 * Gives the thread a lane, unless it has one; call with signals blocked, as the
 * following. Returns false if it gets none.
 */
bool event_lane_begin(void);
/*
 * Return NULL if there will be no room any more. event_lane_room: space for slots.
 * event_lane_anchor: the same after an anchor, for an event at *now, when the thread
 * had used *cpu ns; both are set anew if it had to wait for room.
 */
struct event_slot *event_lane_room(struct event_lane *lane, uint64_t slots);
struct event_slot *event_lane_anchor(struct event_lane *lane, uint64_t *now, uint64_t *cpu, uint64_t slots);
/* Returns the ticks of CPU time used here since now, when the thread had used cpu ns. */
uint64_t event_lane_used(uint64_t now, uint64_t cpu);
/* Stops tallying: what is written next needs no sums before it, and functions noted are written. */
void event_lane_settle(struct event_lane *lane);
/* Ends the thread's lane: what it has published is read, after which its chunk is free. */
void event_lane_end(void);
/*
 * Lets a function write into a lane of slots some times; returns the ticks of the
 * fastest. The slots must have room for an anchor before each event: a trial must
 * never ask for a chunk of the pool.
 */
uint64_t event_lane_try(void (*trial)(void), struct event_slot *slots, size_t size, int times);
/* Measures the cost of a plain event, and stores it in the area. */
void event_lane_measure(void);
/*
 * Sets the value 1 for key in threads that get a lane from now on: the key's
 * destructor has to end the lane.
 */
void event_lane_key(pthread_key_t key);
/*
 * Marks where a signal can occur between the reservation of a slot and its
 * publication: tables of the code addresses after each, for event-jumps.c.
 */
#define EVENT_PLACE(table) \
	"7:\n .pushsection " table ", \"a\"\n .balign 4\n .long 7b - .\n .popsection\n"

/* Reserves bytes; returns their address. One instruction, which no signal can split. */
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

/* Returns whether bytes from place on are in the chunk that ends at limit. */
static inline bool event_fits(uint64_t limit, uint64_t place, uint64_t bytes)
{
	return limit - place - bytes <= event_chunk_size - bytes;
}

/* Number of statements counted in a lane before they are added to the area's count. */
#define EVENT_COUNTED 64

/* Adds what a lane has counted to the area. */
void event_count_up(struct event_lane *lane);

/* Does the same, and begins to count another program's statements. */
COLD void event_count_other(struct event_lane *lane, uint32_t program);

/* Counts a statement of a program, by the number of its name, instead of writing it. */
static inline void event_count(uint32_t program)
{
	struct event_lane *lane = event_lane;

	if (UNLIKELY(lane->counting != program || lane->counted >= EVENT_COUNTED || !lane->number))
		event_count_other(lane, program);
	else
		lane->counted++;
}

/*
 * Writes one plain event, a mark and the time, in the thread's lane. Returns false
 * if the slow path must write it.
 */
static inline bool event_write_plain(struct event_lane *lane, uint64_t mark, uint64_t now)
{
	uint64_t limit, place;
	struct event_slot *slot;

	if (UNLIKELY(now - lane->last > event_gap || now - lane->anchored > event_anchors))
		return false;
	lane->last = now;
	limit = __atomic_load_n(&lane->limit, __ATOMIC_RELAXED);
	place = event_reserve(lane, sizeof(*slot));
	if (UNLIKELY(!event_fits(limit, place, sizeof(*slot))))
		return false;
	slot = (struct event_slot *)place;
	slot->word = now;
	__atomic_store_n(&slot->mark, mark, __ATOMIC_RELEASE);
#if defined(__x86_64__)
	__asm__ volatile(EVENT_PLACE("vigil_published") : : : "memory");
#endif
	return true;
}

/*
 * Ends a function that is the newest noted, all but its note: writes its end, mark,
 * but in a pause, where nothing is written of one whose begin was not. Returns false
 * if that is not all there is to do.
 */
static inline bool event_end_plain(struct event_lane *lane, enum event_gate gate, bool written, uint64_t mark)
{
	if (UNLIKELY(gate == EVENT_GATE_PAUSED))
		return lane->quiet && !written;
	return event_write_plain(lane, mark, event_cycle_counter());
}

/* Writes one plain event. */
static inline void event_write_at(uint64_t mark, uint64_t now)
{
	if (UNLIKELY(!event_write_plain(event_lane, mark, now)))
		event_write_anchored(mark, now);
}

/* Writes one plain event now. Without a function call if there is a cycle counter. */
static inline void event_write(uint64_t mark)
{
	if (LIKELY(event_cycles))
		event_write_at(mark, event_cycle_counter());
	else
		event_write_by_clock(mark);
}

#endif
