/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are active in a thread, as its lane has them noted: those that were compiled to tell
 * their ends (event-functions.c), and those whose return addresses are known (event-frames.c). Who
 * notes one makes the memory; both lists are read here, where the lane tells what has begun in a pause.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_NOTED_H
#define VIGIL_AGENT_EVENTS_EVENT_NOTED_H

#include "agent/events/event-state.h"

/* Functions that tell their ends, of a thread, that are noted; those above are only counted. */
#define EVENT_NOTED 8192

/* A function that is active and tells its end. */
struct event_noted {
	uint64_t place; /* the stack pointer of its frame; 0: it is being noted */
	uint64_t function;
};

/* A function that is active; place, where its return address stands, 0: it is being noted. */
struct event_call {
	uint64_t place, key;
};

/* A noted function of a thread, by its number; false: there is none. */
static inline bool event_noted_at(const struct event_lane *lane, uint64_t at, uint64_t *place, uint64_t *key)
{
	if (!lane->noted || at >= lane->noted_count || at >= EVENT_NOTED)
		return false;
	*place = lane->noted[at].place;
	*key = lane->noted[at].function;
	return true;
}

static inline bool event_call_at(const struct event_lane *lane, uint64_t at, uint64_t *place, uint64_t *key)
{
	if (!lane->calls || at >= lane->depth)
		return false;
	*place = lane->calls[at].place;
	*key = lane->calls[at].key;
	return true;
}

/* The thread of a lane ends: its calls are forgotten, the memory stays for the lane's next. */
static inline void event_calls_end(struct event_lane *lane)
{
	while (lane->calls && lane->depth)
		lane->calls[--lane->depth].place = 0;
}

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

#endif
