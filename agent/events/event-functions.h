/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions: whether the events of one are collected, which all sources ask first;
 * and those left by a jump.
 */
#ifndef VIGIL_AGENT_EVENTS_EVENT_FUNCTIONS_H
#define VIGIL_AGENT_EVENTS_EVENT_FUNCTIONS_H

#include "agent/events/event-lane.h"
#include "agent/events/event-noted.h"
#include "agent/events/event-tally.h"

/*
 * Ends the functions that a jump leaves: the newest notes for which is_left is
 * true. place is the stack pointer of a function's frame.
 */
typedef bool event_is_left(uint64_t place, const void *jump);
void event_functions_left(event_is_left *is_left, const void *jump);
/* Returns whether filters block a function; call only if any do (area->blocking). */
static inline bool event_function_is_blocked(const void *function)
{
	const uint64_t *word = &event_blocked[EVENT_BLOCKED_PLACE(function) % EVENT_BLOCKED];

	/* Addresses have none of the image's bits. */
	return (__atomic_load_n(word, __ATOMIC_RELAXED) ^ (uint64_t)function) == event_image;
}

/*
 * Returns whether filters let a function pass. function: the address that
 * identifies it in its events.
 */
static inline bool event_function_passes(const void *function)
{
	const struct event_area *area = event_area;

	return area->functions && (!UNLIKELY(__atomic_load_n(&area->blocking, __ATOMIC_RELAXED)) ||
				   !event_function_is_blocked(function));
}

static inline bool event_function_wanted(const void *function)
{
	return event_active() && event_function_passes(function);
}

/* Writes the begin of a noted function; noted: it with its state. */
static inline void event_function_write_begin(uint64_t *noted, uint64_t function)
{
	event_noted_set(noted, EVENT_NOTED_WRITING);
	event_write(EVENT_MARK_ENTRY | EVENT_VALUE(function));
	event_noted_set(noted, EVENT_NOTED_WRITTEN);
}

/*
 * The slow paths of event_tally_put. event_function_begin: tallies a function that
 * begins, or writes it; noted: it with its state, NULL: it is too deep to be noted.
 * event_function_end: tallies one that ends, and has no note any more, or writes it.
 * The last parameters are those of event_tally_put.
 */
static inline void event_function_begin(struct event_lane *lane, uint64_t *noted, uint64_t function, bool calls)
{
	uint64_t mark = EVENT_MARK_ENTRY | EVENT_VALUE(function);

	if (!noted) {
		event_write(mark);
		return;
	}
	if (event_tally_slowly(lane, mark, 0, calls))
		return;
	/* From here on no signal handler writes it; one may have, as one that has begun before. */
	event_noted_set(noted, EVENT_NOTED_WRITING);
	if (*noted & EVENT_NOTED_WRITTEN)
		event_write(EVENT_MARK_RETURN | EVENT_MARK_PAUSED | EVENT_VALUE(function));
	event_function_write_begin(noted, function);
}

static inline void event_function_end(struct event_lane *lane, uint64_t function, uint64_t resumes, bool calls)
{
	uint64_t mark = EVENT_MARK_RETURN | EVENT_VALUE(function);

	if (event_tally_slowly(lane, mark, resumes, calls))
		return;
	event_write(EVENT_MARK_ENTRY | EVENT_MARK_PAUSED | EVENT_VALUE(function));
	event_write(mark);
}

#endif
