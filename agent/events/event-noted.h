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
	uint64_t function; /* with its state; 0: it has ended, and is about to be tallied */
};

/* An active function; place is the address of its return address, 0: the note is incomplete. */
struct event_call {
	uint64_t place, key; /* key: as function */
};

/*
 * State of a noted function, in bits that the value of a mark does not have: its
 * begin is written; it is about to be. With neither it is not written, because it
 * began in a pause or is tallied.
 */
#define EVENT_NOTED_WRITTEN (UINT64_C(1) << 63)
#define EVENT_NOTED_WRITING (UINT64_C(1) << 62)

/* Returns a noted function without its state. */
static inline uint64_t event_noted_function(uint64_t noted)
{
	return noted & ~(EVENT_NOTED_WRITTEN | EVENT_NOTED_WRITING);
}

/*
 * Returns whether the begin of a noted function is written, or may be: a jump out of
 * a signal handler may have left the code that was about to say so. One end too many
 * does no harm (event-functions.c).
 */
static inline bool event_noted_may_be_written(uint64_t noted)
{
	return noted & (EVENT_NOTED_WRITTEN | EVENT_NOTED_WRITING);
}

/* Sets a bit of the state of a noted function. One instruction, which no signal can split. */
static inline void event_noted_set(uint64_t *noted, uint64_t state)
{
#if defined(__x86_64__)
	__asm__ volatile("orq %1, %0" : "+m"(*noted) : "r"(state) : "memory", "cc");
#else
	__atomic_fetch_or(noted, state, __ATOMIC_RELAXED);
#endif
}

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
/* Call before functions are noted that are not written yet. */
static inline void event_lane_defer(struct event_lane *lane)
{
	if (lane->quiet)
		return;
	lane->deep_written = lane->noted_count;
	lane->quiet = 1;
	/* The next event takes the slow path as after a long time. */
	lane->anchored = 0;
}

#endif
