/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions active in a thread, as noted in its lane: those compiled to report
 * their ends (event-functions.c), and those whose return addresses are known
 * (event-frames.c). Each of these sources allocates its list; both lists are read
 * here, when the lane writes functions that have begun in a pause.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_NOTED_H
#define VIGIL_AGENT_EVENTS_EVENT_NOTED_H

#include "agent/events/event-state.h"

/*
 * Maximum number of noted functions of a thread that report their ends; further
 * ones are only counted.
 */
#define EVENT_NOTED 8192

/* An active function that reports its end. */
struct event_noted {
	uint64_t place; /* the stack pointer of its frame; 0: the note is incomplete */
	uint64_t function; /* 0: it has ended, and is about to be tallied */
};

/* An active function; place is the address of its return address, 0: the note is incomplete. */
struct event_call {
	uint64_t place, key; /* key 0: as above */
};

/*
 * Bit of function and key: it was written as begun after it had been noted
 * (event_lane_put_begun). The value of a mark does not have it.
 */
#define EVENT_NOTED_WRITTEN (UINT64_C(1) << 63)

/*
 * Takes the note of a function that ends, to be tallied: it will not be written as
 * begun. Returns false if it was by now. One instruction, which no signal can split.
 */
static inline bool event_note_take(uint64_t *function, uint64_t expected)
{
#if defined(__x86_64__)
	bool done;

	__asm__ volatile("cmpxchgq %3, %1" : "=@ccz"(done), "+m"(*function), "+a"(expected) : "r"(UINT64_C(0)) : "memory");
	return done;
#else
	return __atomic_compare_exchange_n(function, &expected, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

/* Get the noted function of a thread at an index; return false if there is none. */
static inline bool event_noted_at(const struct event_lane *lane, uint64_t at, uint64_t *place, uint64_t *key)
{
	if (!lane->noted || at >= lane->noted_count || at >= EVENT_NOTED)
		return false;
	*place = lane->noted[at].place;
	*key = lane->noted[at].function & ~EVENT_NOTED_WRITTEN;
	return true;
}

static inline bool event_call_at(const struct event_lane *lane, uint64_t at, uint64_t *place, uint64_t *key)
{
	if (!lane->calls || at >= lane->depth)
		return false;
	*place = lane->calls[at].place;
	*key = lane->calls[at].key & ~EVENT_NOTED_WRITTEN;
	return true;
}

/* Drops the calls when a lane's thread ends; the memory stays for the lane's next thread. */
static inline void event_calls_end(struct event_lane *lane)
{
	while (lane->calls && lane->depth)
		lane->calls[--lane->depth].place = 0;
}

/*
 * Functions that begin in a pause are noted and not written, so that a pause costs
 * little. The next event of the thread, whatever it is, takes the slow path, which
 * writes them first: levels are right from START on.
 */
/* Marks functions noted from here on as not written yet; call before noting them. */
static inline void event_lane_defer(struct event_lane *lane)
{
	if (lane->quiet)
		return;
	lane->written_noted = lane->noted_count;
	lane->written_calls = lane->depth;
	lane->quiet = 1;
	/* The next event takes the slow path as after a long time. */
	lane->anchored = 0;
}

/* After functions have ended: limits the numbers of written ones to those still noted. */
static inline void event_lane_fewer(struct event_lane *lane)
{
	if (lane->written_noted > lane->noted_count)
		lane->written_noted = lane->noted_count;
	if (lane->written_calls > lane->depth)
		lane->written_calls = lane->depth;
}

#endif
