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
#ifndef VIGIL_AGENT_EVENT_LANE_H
#define VIGIL_AGENT_EVENT_LANE_H

#include "agent/agent.h"
#include "agent/event-area.h"
#include "agent/transaction-area.h"

/* What is seldom done stands elsewhere, and is not what the processor expects. */
#define COLD __attribute__((cold))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

struct event_lane {
	uint64_t cursor, limit; /* addresses: next free slot, end of the chunk */
	uint64_t last;		/* ticks of the last event */
	uint64_t anchored;	/* ticks of the last anchor */
	uint64_t own;		/* ticks used since then, plain events not counted */
	uint64_t number;	/* 0: this is no lane, or was that of the process that forked */
	uint64_t sequence;	/* of its chunk */
	uint64_t chunk;
	uint32_t pid, tid;
	uint64_t taken;		  /* 1: a thread has it */
	uint64_t counted;	  /* statements counted and not yet added to the area's */
	uint64_t counting;	  /* the name of the program that they are of */
	struct event_call *calls; /* event-calls.c */
	uint64_t depth;
	struct event_noted *noted; /* event-functions.c; stays with the lane */
	uint64_t noted_count;
	uint64_t context; /* event-jumps.c: what is on the processor; 0 the thread's own */
	uint64_t waited;  /* CPU time, and 1 ns, when the event at hand began to wait for room; 0: it did not */
	/* 1: functions have begun in a pause, and are noted alone; the next event tells them (event_lane_quiet). */
	uint64_t quiet;
	uint64_t told_calls, told_noted; /* then: how many of those noted are told */
};

/* The area; one in which nothing is wanted while there is none. Never NULL. */
extern struct event_area *event_area;
extern _Thread_local struct event_lane *event_lane __attribute__((tls_model("initial-exec")));
/* The word by which START and PAUSE hold for the step (transaction-area.h). Never NULL. */
extern const uint64_t *event_collecting;
/* Path of what the process executes. */
extern char event_program[PATH_MAX];
/* The image of the process, by which blocked functions are known: its first lane. */
extern uint64_t event_image;
/* Facts of the area that every event needs. */
extern uint64_t event_gap, event_anchors, event_chunk_size;
extern bool event_cycles;

/* The slow ways of event_write_at and event_write. */
COLD void event_write_anchored(uint64_t mark, uint64_t now);
COLD void event_write_by_clock(uint64_t mark);
/* Write mark, number of slots and bytes put in: what follows the first slot is data. */
void event_write_data(uint64_t mark, const void *data, size_t length);
/* Write text with a number (EVENT_MARK_USER and the like); a longer one is cut. */
void event_write_text(enum event_mark mark, int32_t number, const char *text);
/* Let a lane end: what it has published is read, and its chunk is free then. */
void event_lane_end(void);
/*
 * Functions that begin in a pause are noted and not written, so that a pause costs little. The next event of
 * the thread, whatever it is, goes the slow way, which tells them first: levels are right from START on.
 */
/* What is noted from here on is not told yet; to be called before it is noted. */
static inline void event_lane_quiet(struct event_lane *lane)
{
	if (lane->quiet)
		return;
	lane->told_noted = lane->noted_count;
	lane->told_calls = lane->depth;
	lane->quiet = 1;
	/* The next event is taken for one after a long time. */
	lane->anchored = 0;
}

/* Functions have ended: those that are told are no more than those that are noted. */
static inline void event_lane_fewer(struct event_lane *lane)
{
	if (lane->told_noted > lane->noted_count)
		lane->told_noted = lane->noted_count;
	if (lane->told_calls > lane->depth)
		lane->told_calls = lane->depth;
}

/* A noted function of a thread, by its number: of those compiled to tell their ends, and of the others. */
bool event_noted_at(const struct event_lane *lane, uint64_t at, uint64_t *place, uint64_t *key);
bool event_call_at(const struct event_lane *lane, uint64_t at, uint64_t *place, uint64_t *key);
/* Find out what a plain event costs, and tell it in the area. */
void event_lane_measure(void);
/* A thread has got a lane: it is to be ended with the thread. Signals are blocked. */
void event_lane_begins(void);
/* ns of CLOCK_MONOTONIC, and of the thread's CPU time. */
uint64_t event_clock(void);
uint64_t event_thread_cpu(void);

/* Whether events are collected now. */
static inline bool event_active(void)
{
	return __atomic_load_n(&event_area->state, __ATOMIC_RELAXED) == EVENT_STATE_ACTIVE &&
	       __atomic_load_n(event_collecting, __ATOMIC_RELAXED) != TRANSACTION_COLLECTING_PAUSED;
}

/* Whether there is a monitor: what begins and ends is told also while it pauses. */
static inline bool event_wanted(void)
{
	return __atomic_load_n(&event_area->state, __ATOMIC_RELAXED) != EVENT_STATE_OFF;
}

/* What the slot of something that begins or ends has besides. */
static inline uint64_t event_pause_bit(void)
{
	return event_active() ? 0 : EVENT_MARK_PAUSED;
}

static inline uint64_t event_ticks(void)
{
#if defined(__x86_64__)
	if (event_cycles)
		return __builtin_ia32_rdtsc();
#endif
	return event_clock();
}

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
