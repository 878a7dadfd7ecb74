/* SPDX-License-Identifier: Apache-2.0 */
/* Notes which functions are active in a thread, and writes their events. */
#include "agent/events/event-frames.h"

/*
 * The slow paths of a lane, called such that vector registers are preserved:
 * event_write and event_tally_put use these names here.
 */
#define event_write_anchored event_kept_anchored
#define event_write_by_clock event_kept_by_clock
#define event_tally_slowly event_kept_tally
#include "agent/events/event-functions.h"
#undef event_write_anchored
#undef event_write_by_clock
#undef event_tally_slowly

/*
 * Number of recent stacks other than the threads' own; how many notes are searched
 * for a function on another stack.
 */
#define STACKS 256
#define LOOK_DOWN 1024

struct stack {
	uint64_t start, size;
	bool of_signals;
};

static struct stack stacks[STACKS];
static uint32_t stack_count;

void event_frames_stack(uint64_t start, uint64_t size, bool of_signals)
{
	uint32_t place;

	if (!size)
		return;
	for (place = 0; place < stack_count && place < STACKS; place++)
		if (stacks[place].start == start)
			break;
	if (place >= stack_count || place >= STACKS)
		place = __atomic_fetch_add(&stack_count, 1, __ATOMIC_RELAXED) % STACKS;
	stacks[place] = (struct stack){ start, size, of_signals };
}

/* Returns the recorded stack that contains place; NULL: the thread's own. */
KEEPS_REGISTERS static const struct stack *stack_of(uint64_t place)
{
	for (uint32_t i = 0; i < stack_count && i < STACKS; i++)
		if (place - stacks[i].start < stacks[i].size)
			return &stacks[i];
	return NULL;
}

/*
 * Returns whether the function noted with the address noted is over when one at
 * now begins or ends.
 */
KEEPS_REGISTERS static bool is_over(uint64_t noted, uint64_t now)
{
	const struct stack *of = stack_of(noted), *here = stack_of(now);

	if (of == here)
		return noted <= now;
	/* A thread that is on another stack again has left the handler that was on this one. */
	return of && of->of_signals && !(here && here->of_signals);
}

/* Drops the newest note, of depth. */
static inline void drop_newest(struct event_lane *lane, uint64_t depth)
{
	lane->calls[depth - 1].key = 0;
	lane->calls[depth - 1].place = 0;
	__atomic_store_n(&lane->depth, depth - 1, __ATOMIC_RELAXED);
}

/* Not inlined, so that the short ways need few registers. */
KEEPS_REGISTERS __attribute__((noinline)) static void begin_tallied(struct event_lane *lane, struct event_call *call, uint64_t key)
{
	event_function_begin(lane, call ? &call->key : NULL, key, true);
}

KEEPS_REGISTERS __attribute__((noinline)) static void end_tallied(struct event_lane *lane, uint64_t key, uint64_t resumes)
{
	event_function_end(lane, key, resumes, true);
}

/*
 * Tallies the end of the newest noted function, of depth, and drops its note.
 * Returns false if its end is to be written, as its begin was.
 */
static inline __attribute__((always_inline)) bool tally_end(struct event_lane *lane, uint64_t depth)
{
	struct event_call *newest = &lane->calls[depth - 1];
	uint64_t key = newest->key, below = depth > 1 ? newest[-1].key : 0;
	uint64_t resumes = below & EVENT_NOTED_WRITTEN ? 0 : event_noted_function(below);

	if (UNLIKELY(key != event_noted_function(key)) || UNLIKELY(!event_note_take(&newest->key, key)))
		return false;
	drop_newest(lane, depth);
	if (UNLIKELY(!event_tally_put(lane, EVENT_MARK_RETURN | EVENT_VALUE(key), resumes, true)))
		end_tallied(lane, key, resumes);
	return true;
}

/*
 * A noted function may not have been written as begun, and may already be written
 * as ended, but never the reverse: a jump out of a signal handler in between can
 * only cause one end too many, which the monitor ignores.
 */

/* Writes the end of the noted function at an index, unless the monitor does not have its begin. */
static inline void write_end(const struct event_lane *lane, uint64_t at)
{
	if (event_active())
		event_write(EVENT_MARK_RETURN | EVENT_VALUE(lane->calls[at].key));
	else if (event_noted_may_be_written(lane->calls[at].key))
		event_write(EVENT_MARK_RETURN | EVENT_MARK_PAUSED | EVENT_VALUE(lane->calls[at].key));
}

/* Drops the newest note, whose end was written, if there is one. */
static inline void drop(struct event_lane *lane)
{
	if (lane->depth)
		drop_newest(lane, lane->depth);
}

void event_frames_left(bool (*is_left)(uint64_t place, const void *jump), const void *jump)
{
	struct event_lane *lane = event_lane;

	while (lane->calls && lane->depth) {
		struct event_call newest = lane->calls[lane->depth - 1];

		if (newest.place && !is_left(newest.place, jump))
			return;
		if (newest.place && event_has_monitor() && event_area->functions)
			write_end(lane, lane->depth - 1);
		drop(lane);
	}
}

/* Ends the functions that are over when one begins at place. */
KEEPS_REGISTERS __attribute__((noinline, cold)) static void end_those_over(struct event_lane *lane, uint64_t place)
{
	while (lane->depth) {
		const struct event_call *call = &lane->calls[lane->depth - 1];

		if (!call->place || !is_over(call->place, place))
			break;
		if (event_gate() == EVENT_GATE_TALLY && tally_end(lane, lane->depth))
			continue;
		write_end(lane, lane->depth - 1);
		drop(lane);
	}
}

/* Gives back patched code, once filters let no function pass any more. */
KEEPS_REGISTERS __attribute__((noinline, cold)) static void unpatch_if_unused(void)
{
	if (event_unpatch && !event_unpatched)
		event_kept_unpatch();
}

/*
 * Notes a function, with its state: the entry is reserved by one instruction,
 * because of signal handlers. Returns NULL if there are too many.
 */
static inline struct event_call *note(struct event_lane *lane, uint64_t key, uint64_t place)
{
	uint64_t depth = 1;

#if defined(__x86_64__)
	__asm__ volatile("xaddq %0, %1" : "+r"(depth), "+m"(lane->depth) : : "memory", "cc");
#else
	depth = __atomic_fetch_add(&lane->depth, 1, __ATOMIC_RELAXED);
#endif
	if (depth >= EVENT_CALLS_NOTED) {
		__atomic_store_n(&lane->depth, depth, __ATOMIC_RELAXED);
		return NULL;
	}
	lane->calls[depth].key = key;
	__atomic_store_n(&lane->calls[depth].place, place, __ATOMIC_RELAXED);
	return &lane->calls[depth];
}

/*
 * Begins the first function in a pause, or one that ends others. Gives the thread
 * a lane if it has none.
 */
KEEPS_REGISTERS __attribute__((noinline, cold)) static void begin_pause(uint64_t key, uint64_t place)
{
	if (!event_lane->number)
		event_write(EVENT_MARK_TASK | EVENT_MARK_PAUSED);
	if (event_lane->depth && event_lane->calls[event_lane->depth - 1].place <= place)
		end_those_over(event_lane, place);
	if (!event_lane->calls && !event_kept_calls(event_lane))
		return;
	event_lane_defer(event_lane);
	note(event_lane, key, place);
}

/* Begins a function in a pause. */
static inline void begin_in_pause(struct event_lane *lane, uint64_t key, uint64_t place)
{
	if (!event_has_monitor() || !event_area->functions)
		return;
	if (UNLIKELY(!lane->quiet || !lane->calls || (lane->depth && lane->calls[lane->depth - 1].place <= place)))
		begin_pause(key, place);
	else
		note(lane, key, place);
}

/* Begins a function, whatever the state. */
KEEPS_REGISTERS __attribute__((noinline)) static void begin_slowly(uint64_t key, uint64_t place)
{
	struct event_lane *lane = event_lane;
	struct event_call *call;

	if (!event_active()) {
		begin_in_pause(lane, key, place);
		return;
	}
	if (UNLIKELY(!event_area->functions)) {
		unpatch_if_unused();
		return;
	}
	if (lane->depth && lane->calls[lane->depth - 1].place <= place)
		end_those_over(lane, place);
	if (lane->calls && event_gate() == EVENT_GATE_TALLY) {
		begin_tallied(lane, note(lane, key, place), key);
		return;
	}
	call = lane->calls ? note(lane, key | EVENT_NOTED_WRITING, place) : NULL;
	if (call) {
		event_function_write_begin(&call->key, key);
		return;
	}
	event_write(EVENT_MARK_ENTRY | EVENT_VALUE(key));
	/* This event has created the lane. */
	if (!lane->calls && event_kept_calls(event_lane))
		note(event_lane, key | EVENT_NOTED_WRITTEN, place);
}

/* Begins a function: the short way of most calls, without a function call. */
static inline void begin(enum event_gate gate, uint64_t key, uint64_t place)
{
	struct event_lane *lane = event_lane;
	uint64_t depth = lane->depth, now;
	struct event_call *call;

	if (UNLIKELY(!lane->calls || (depth && lane->calls[depth - 1].place <= place))) {
		begin_slowly(key, place);
		return;
	}
	if (UNLIKELY(gate == EVENT_GATE_PAUSED) && lane->quiet) {
		note(lane, key, place);
		return;
	}
	if (UNLIKELY(gate == EVENT_GATE_ASK || gate == EVENT_GATE_PAUSED)) {
		begin_slowly(key, place);
		return;
	}
	if (gate == EVENT_GATE_TALLY) {
		call = note(lane, key, place);
		if (UNLIKELY(!call || !event_tally_put(lane, EVENT_MARK_ENTRY | EVENT_VALUE(key), 0, true)))
			begin_tallied(lane, call, key);
		return;
	}
	if (UNLIKELY(lane->quiet)) {
		begin_slowly(key, place);
		return;
	}
	note(lane, key | EVENT_NOTED_WRITTEN, place);
	now = event_cycle_counter();
	if (UNLIKELY(!event_write_plain(lane, EVENT_MARK_ENTRY | EVENT_VALUE(key), now)))
		event_kept_anchored(EVENT_MARK_ENTRY | EVENT_VALUE(key), now);
}

KEEPS_REGISTERS void event_frame_begins(uint64_t key, uint64_t place)
{
	begin(event_gate(), key, place);
}

/* Returns whether a function is collected, or noted in a pause. */
KEEPS_REGISTERS __attribute__((noinline, cold)) static bool may_begin(uint64_t function)
{
	return event_has_monitor() && event_function_passes((const void *)function);
}

KEEPS_REGISTERS void event_frame_begins_if_passes(uint64_t function, uint64_t place)
{
	enum event_gate gate = event_area_gate();

	if (UNLIKELY(gate == EVENT_GATE_FILTER) && event_function_is_blocked((const void *)function))
		return;
	gate = event_gate_now(gate);
	if (UNLIKELY(gate == EVENT_GATE_ASK) && !may_begin(function))
		return;
	begin(gate, function, place);
}

/*
 * Ends a function at place that is not the newest: those above it are over, or
 * belong to other stacks.
 */
KEEPS_REGISTERS __attribute__((noinline, cold)) static void end_deeper(struct event_lane *lane, uint64_t place)
{
	uint64_t depth = lane->depth, found = depth, kept;

	for (uint64_t i = 0; i < LOOK_DOWN && i < depth; i++)
		if (lane->calls[depth - 1 - i].place == place) {
			found = depth - 1 - i;
			break;
		}
	if (found == depth)
		return;
	for (uint64_t i = depth; i-- > found + 1;)
		if (lane->calls[i].place && stack_of(lane->calls[i].place) == stack_of(place))
			write_end(lane, i);
	write_end(lane, found);
	kept = found;
	for (uint64_t i = found + 1; i < depth; i++)
		if (lane->calls[i].place && stack_of(lane->calls[i].place) != stack_of(place))
			lane->calls[kept++] = lane->calls[i];
	for (uint64_t i = kept; i < depth; i++)
		lane->calls[i].place = 0;
	lane->depth = kept;
}

/* Ends a function in a pause if it began before the pause, or is not the newest noted. */
KEEPS_REGISTERS __attribute__((noinline, cold)) static void end_before_pause(struct event_lane *lane, uint64_t place)
{
	if (!event_has_monitor() || !event_area->functions)
		return;
	if (lane->calls[lane->depth - 1].place != place) {
		end_deeper(lane, place);
		return;
	}
	write_end(lane, lane->depth - 1);
	drop(lane);
}

/* Ends a function in a pause. */
static inline void end_in_pause(struct event_lane *lane, uint64_t place)
{
	if (UNLIKELY(!lane->quiet || event_noted_may_be_written(lane->calls[lane->depth - 1].key) ||
		     lane->calls[lane->depth - 1].place != place))
		end_before_pause(lane, place);
	else
		drop(lane);
}

/* Ends a function, whatever the state. */
KEEPS_REGISTERS __attribute__((noinline)) static void end_slowly(uint64_t place)
{
	struct event_lane *lane = event_lane;
	struct event_call *call;

	if (!lane->depth)
		return;
	if (!event_active()) {
		end_in_pause(lane, place);
		return;
	}
	if (UNLIKELY(!event_area->functions)) {
		unpatch_if_unused();
		return;
	}
	call = &lane->calls[lane->depth - 1];
	if (call->place != place) {
		end_deeper(lane, place);
		return;
	}
	event_write(EVENT_MARK_RETURN | EVENT_VALUE(call->key));
	drop(lane);
}

KEEPS_REGISTERS void event_frame_ends(uint64_t key UNUSED, uint64_t place)
{
	struct event_lane *lane = event_lane;
	uint64_t depth = lane->depth;
	enum event_gate gate = event_gate();
	struct event_call *newest;

	if (UNLIKELY(!depth))
		return;
	newest = &lane->calls[depth - 1];
	if (gate == EVENT_GATE_TALLY && LIKELY(newest->place == place) && LIKELY(tally_end(lane, depth)))
		return;
	if (UNLIKELY(newest->place != place || gate == EVENT_GATE_ASK ||
		     !event_end_plain(lane, gate, event_noted_may_be_written(newest->key),
				      EVENT_MARK_RETURN | EVENT_VALUE(newest->key)))) {
		end_slowly(place);
		return;
	}
	drop_newest(lane, depth);
}
