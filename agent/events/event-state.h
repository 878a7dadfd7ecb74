/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every event needs to know, below all that writes: the data pool (layout:
 * event-area.h) and whether events of it are wanted now, the process, and where the
 * thread writes. It is set when a process begins (event-tasks.c), and asks the system
 * nothing but the time.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_STATE_H
#define VIGIL_AGENT_EVENTS_EVENT_STATE_H

#include "agent/agent.h"
#include "agent/event-area.h"
#include "agent/transaction-area.h"

/* What is seldom done stands elsewhere, and is not what the processor expects. */
#define COLD __attribute__((cold))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* Where a thread writes (event-lane.h); its chunk is event-room.h's. */
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
	struct event_call *calls; /* event-noted.h */
	uint64_t depth;
	struct event_noted *noted; /* event-noted.h; stays with the lane */
	uint64_t noted_count;
	uint64_t context; /* event-jumps.c: what is on the processor; 0 the thread's own */
	uint64_t waited;  /* CPU time, and 1 ns, when the event at hand began to wait for room; 0: it did not */
	/* 1: functions have begun in a pause, and are noted alone; the next event tells them (event_lane_quiet). */
	uint64_t quiet;
	uint64_t told_calls, told_noted; /* then: how many of those noted are told */
};

/* The area; one in which nothing is wanted while there is none. Never NULL. */
extern struct event_area *event_area AGENT_HIDDEN;
/* The thread's lane; event_no_lane, which has no number, while it has none. Never NULL. */
extern _Thread_local struct event_lane *event_lane __attribute__((tls_model("initial-exec"))) AGENT_HIDDEN;
extern struct event_lane event_no_lane AGENT_HIDDEN;
/* The word by which START and PAUSE hold for the step (transaction-area.h). Never NULL. */
extern const uint64_t *event_collecting AGENT_HIDDEN;
/* Path of what the process executes. */
extern char event_program[PATH_MAX] AGENT_HIDDEN;
/* The image of the process, by which blocked functions are known: its first lane. */
extern uint64_t event_image AGENT_HIDDEN;
/* Facts of the area that every event needs. */
extern uint64_t event_gap AGENT_HIDDEN, event_anchors AGENT_HIDDEN, event_chunk_size AGENT_HIDDEN;
extern bool event_cycles AGENT_HIDDEN;

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

#endif
