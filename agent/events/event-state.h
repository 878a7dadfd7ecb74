/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state that every event needs, below all code that writes: the data pool
 * (layout: event-area.h) and whether events are collected now, the process, and
 * the thread's lane. It is set when a process begins (event-tasks.c), and makes no
 * system call except for the time.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_STATE_H
#define VIGIL_AGENT_EVENTS_EVENT_STATE_H

#include "agent/agent.h"
#include "agent/event-area.h"
#include "agent/transaction-area.h"

/* Rarely executed code, placed separately and predicted as not taken. */
#define COLD __attribute__((cold))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define LIKELY(condition) __builtin_expect(!!(condition), 1)

/* The lane to which a thread writes (event-lane.h); its chunk is managed by event-chunks.h. */
struct event_lane {
	uint64_t cursor, limit; /* addresses: next free slot, end of the chunk */
	uint64_t last;		/* ticks of the last event */
	uint64_t anchored;	/* ticks of the last anchor */
	uint64_t own;		/* ticks used by the agent since then, without plain events */
	uint64_t number;	/* 0: no lane, or that of the process that forked */
	uint64_t sequence;	/* of its chunk */
	uint64_t chunk;
	uint64_t filled; /* bytes since it last waited for space */
	uint32_t pid, tid;
	uint64_t taken;		  /* 1: a thread has it */
	uint64_t counted;	  /* statements counted and not yet added to the area's */
	uint64_t counting;	  /* number of the name of their program */
	struct event_call *calls; /* event-noted.h */
	uint64_t depth;
	struct event_noted *noted; /* event-noted.h; stays with the lane */
	uint64_t noted_count;
	uint64_t context; /* event-jumps.c: the current context; 0 the thread's own */
	uint64_t waited;  /* CPU time + 1 ns when the event in progress began to wait for space;
			   * 0: it did not */
	/*
	 * 1: there may be noted functions that are not written; the next event writes
	 * them (event_lane_defer).
	 */
	uint64_t quiet;
	uint64_t deep_written; /* in that case: how many of those noted, or too deep for that, are */
	/* event-tally.h: while the thread tallies, quiet is 1. */
	struct event_tally *tallying[2]; /* the table while it tallies functions of noted, of calls */
	struct event_tally *tally;	 /* NULL: none */
	uint64_t may_tally;		 /* 1: it may begin to */
	uint64_t tally_again;		 /* ticks from which on it may */
	uint64_t tally_changes;		 /* *event_changes at the begin of the sums */
	uint64_t tally_events, tally_few; /* events since it began; how often there were few */
};

/* The area; while there is none, one in which nothing is collected. Never NULL. */
extern struct event_area *event_area AGENT_HIDDEN;
/* The thread's lane; event_no_lane, which has no number, while it has none. Never NULL. */
extern _Thread_local struct event_lane *event_lane __attribute__((tls_model("initial-exec"))) AGENT_HIDDEN;
extern struct event_lane event_no_lane AGENT_HIDDEN;
/* The step's state set by START and PAUSE (transaction-area.h). Never NULL. */
extern const uint64_t *event_collecting AGENT_HIDDEN;
/* Number of its changes, and of those of transactions. Never NULL. */
extern const uint64_t *event_changes AGENT_HIDDEN;
/* Path of the process's executable. */
extern char event_program[PATH_MAX] AGENT_HIDDEN;
/* The table of blocked functions; NULL: no area. EVENT_BLOCKED_IMAGE of the image's first lane. */
extern const uint64_t *event_blocked AGENT_HIDDEN;
extern uint64_t event_image AGENT_HIDDEN;
/* Copies of the area's values that every event needs. */
extern uint64_t event_gap AGENT_HIDDEN, event_anchors AGENT_HIDDEN, event_chunk_size AGENT_HIDDEN;
extern struct event_tallies *event_tallies AGENT_HIDDEN; /* NULL: none */
extern bool event_cycles AGENT_HIDDEN;

/* Return ns of CLOCK_MONOTONIC, and of the thread's CPU time. */
uint64_t event_clock(void);
uint64_t event_thread_cpu(void);

/* Returns whether events are collected now. */
static inline bool event_active(void)
{
	return __atomic_load_n(&event_area->state, __ATOMIC_RELAXED) == EVENT_STATE_ACTIVE &&
	       __atomic_load_n(event_collecting, __ATOMIC_RELAXED) != TRANSACTION_COLLECTING_PAUSED;
}

/* Returns what a function has to ask, but for START and PAUSE. */
static inline enum event_gate event_area_gate(void)
{
	return __atomic_load_n(&event_area->gate, __ATOMIC_RELAXED);
}

/* Returns what a function has to ask before it is collected; gate: of event_area_gate. */
static inline enum event_gate event_gate_now(enum event_gate gate)
{
	if (UNLIKELY(__atomic_load_n(event_collecting, __ATOMIC_RELAXED) == TRANSACTION_COLLECTING_PAUSED))
		return gate == EVENT_GATE_OPEN || gate >= EVENT_GATE_PAUSED ? EVENT_GATE_PAUSED : EVENT_GATE_ASK;
	return gate;
}

static inline enum event_gate event_gate(void)
{
	return event_gate_now(event_area_gate());
}

/* Returns whether there is a monitor: begins and ends are also written during a pause. */
static inline bool event_has_monitor(void)
{
	return __atomic_load_n(&event_area->state, __ATOMIC_RELAXED) != EVENT_STATE_OFF;
}

/* Returns the bit to set in the slot of a begin or end during a pause. */
static inline uint64_t event_pause_bit(void)
{
	return event_active() ? 0 : EVENT_MARK_PAUSED;
}

/* Returns the cycle counter; only where event_cycles, as in the gates OPEN and FILTER. */
static inline uint64_t event_cycle_counter(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

static inline uint64_t event_ticks(void)
{
	return event_cycles ? event_cycle_counter() : event_clock();
}

#endif
